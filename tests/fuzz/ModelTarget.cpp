#include "fuzz/Reading.h"

#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>

#include <array>

// Reads the JSON of a model, as kaon and as podio store it, and makes its datatypes.

using kaon::ErrorKind;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = kaon::fuzz::textOf(data, size);
  const std::vector<kaon::ModelDatatypes::Document> documents{{"f", text}};
  kaon::fuzz::expectErrors({ErrorKind::corrupt}, "f",
                           [&] { (void)kaon::Model::fromJson(text, "f").whole(); });
  kaon::fuzz::expectErrors({ErrorKind::corrupt}, "f", [&] {
    const std::vector<kaon::detail::ModelDefinition> definitions =
        kaon::detail::modelDefinitions(documents);
    (void)kaon::detail::modelDocuments(definitions, "f");
  });
  kaon::fuzz::expectErrors({ErrorKind::corrupt}, "f", [&] {
    (void)kaon::detail::modelDocuments(std::array{kaon::detail::ModelDefinition{"m", text, ""}},
                                       "f");
  });
  const kaon::ModelDatatypes datatypes(documents);
  for (const std::string& name : datatypes.names()) {
    (void)datatypes.mistake(name);
    kaon::fuzz::expectErrors({ErrorKind::corrupt, ErrorKind::usage}, "",
                             [&] { (void)datatypes.get(name); });
  }
  return 0;
}
