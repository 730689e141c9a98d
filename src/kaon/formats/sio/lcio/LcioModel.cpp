#include <kaon/formats/sio/lcio/LcioModel.h>

#include <kaon/model/Json.h>
#include <kaon/model/Model.h>

namespace kaon::sio::lcio {
namespace {

// CMake makes the text from examples/lcio/lcio.yaml.
constexpr std::string_view document =
#include "LcioModelText.inc"
    ;

} // namespace

const std::string& modelText() {
  static const std::string text = detail::parseJson(document, "the model 'lcio'").text();
  return text;
}

const ModelDatatypes& modelDatatypes() {
  static const ModelDatatypes datatypes({{"the model 'lcio'", modelText()}});
  return datatypes;
}

} // namespace kaon::sio::lcio
