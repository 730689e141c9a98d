#include "Names.h"

#include <kaon/base/Error.h>

#include <set>
#include <string_view>
#include <utility>

namespace kaon::python {
namespace {

/// The name of a table inside the one that it lies under, which a file may not have put before it.
std::string_view tailOf(const Schema& schema, const Table& table) {
  const std::string_view above = schema.table(table.parent).name;
  const bool isInside = table.name.starts_with(above) && table.name.size() > above.size() &&
                        table.name[above.size()] == '.';
  return isInside ? table.name.substr(above.size() + 1) : table.name;
}

/// That of characters, and of lists without a name of their own, is that of what they lie under.
std::string labelOf(const Schema& schema, const std::map<std::uint32_t, std::string>& roots,
                    std::uint32_t number) {
  const Table table = schema.table(number);
  if (table.isRoot())
    return roots.at(number);
  std::string label = labelOf(schema, roots, table.parent);
  if (const auto tail = tailOf(schema, table); table.kind != TableKind::text && !tail.empty())
    label.append(".").append(tail);
  return label;
}

} // namespace

std::map<std::uint32_t, std::string> labelsOf(const Schema& schema) {
  std::map<std::uint32_t, std::string> labels;
  std::set<std::string, std::less<>> taken;
  for (const bool areParameters : {false, true})
    for (std::uint32_t number = 0; number < schema.size(); ++number) {
      const Table table = schema.table(number);
      if (!table.isRoot() || (table.kind == TableKind::parameter) != areParameters)
        continue;
      std::string label(table.name);
      while (!taken.insert(label).second)
        label.append(":").append(table.type);
      labels.emplace(number, std::move(label));
    }
  return labels;
}

Scalar scalarNamed(std::string_view name) {
  for (std::size_t i = 0; i < scalarKinds; ++i)
    if (nameOf(static_cast<Scalar>(i)) == name)
      return static_cast<Scalar>(i);
  fail(ErrorKind::type, "kaon has no values of the type ", name);
}

std::vector<Key> keysOf(const Schema& schema) {
  const auto labels = labelsOf(schema);
  std::vector<Key> keys;
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const std::string label = labelOf(schema, labels, number);
    const auto under = schema.tablesUnder(number);
    if (table.isRoot() && table.members.empty() && std::next(under.begin()) == under.end())
      keys.emplace_back(label, number, std::nullopt);
    for (std::uint32_t member = 0; member < table.members.size(); ++member) {
      const std::string_view name = table.members[member].name;
      keys.emplace_back(name.empty() ? label : label + "." + std::string(name), number, member);
    }
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
