#include "Names.h"

#include <kaon/base/Error.h>
#include <kaon/model/TableLabels.h>

#include <iterator>
#include <string_view>

namespace kaon::python {

Scalar scalarNamed(std::string_view name) {
  for (std::size_t i = 0; i < detail::scalarKinds; ++i)
    if (nameOf(static_cast<Scalar>(i)) == name)
      return static_cast<Scalar>(i);
  fail(ErrorKind::type, "kaon has no values of the type ", name);
}

std::vector<ColumnKey> keysOf(const Schema& schema) {
  const auto labels = labelsOf(schema);
  std::vector<ColumnKey> keys;
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const auto under = schema.tablesUnder(number);
    if (table.isRoot() && table.members.empty() && std::next(under.begin()) == under.end())
      keys.emplace_back(labelOf(schema, labels, number), number, std::nullopt);
    for (std::uint32_t member = 0; member < table.members.size(); ++member)
      keys.emplace_back(keyOf(schema, labels, number, member), number, member);
  }
  return keys;
}

std::vector<std::string> namesOfForms(const ColumnUsage& usage) {
  std::vector<std::string> names;
  for (const StoredForm& form : usage.forms) {
    const std::string codec(codecName(form.codec));
    const std::string encoding(codec::encodingName(form.encoding));
    if (form.encoding == codec::Encoding::compressed)
      names.push_back(codec);
    else
      names.push_back(form.codec == Codec::none ? encoding : encoding + "+" + codec);
  }
  return names;
}

} // namespace kaon::python
