#include <kaon/codec/Encoding.h>

#include <kaon/base/Error.h>
#include <kaon/base/OptionValue.h>
#include <kaon/base/Suggestion.h>
#include <kaon/codec/EncodingTable.h>

#include <array>
#include <string>
#include <vector>

namespace kaon::codec {

std::string_view encodingName(Encoding encoding) noexcept {
  const EncodingRow* const row = encodingRow(encoding);
  return row ? row->name : "?";
}

std::string schemeName(const Scheme& scheme) {
  std::string name(encodingName(scheme.encoding));
  if (scheme.transform)
    name.append(":").append(transformName(*scheme.transform));
  return name;
}

Scheme schemeNamed(std::string_view name) {
  std::vector<std::string> names;
  for (const EncodingRow& row : encodingTable()) {
    std::vector<Scheme> schemes{row.encoding};
    for (const Transform transform : row.transforms)
      schemes.emplace_back(row.encoding, transform);
    for (const Scheme& scheme : schemes)
      if (names.emplace_back(schemeName(scheme)) == name)
        return scheme;
  }
  fail(ErrorKind::name, "no encoding is called '", name, "'", suggestion(name, names));
}

bool isNamedWithCodec(Encoding encoding) noexcept {
  const EncodingRow* const row = encodingRow(encoding);
  return row && row->isNamedWithCodec;
}

} // namespace kaon::codec

namespace kaon {

EncodingGoal goalNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"balance", "size", "speed"};
  return detail::optionValue<EncodingGoal>("goal", names, name);
}

} // namespace kaon
