#include "ObjectValues.h"

#include "Arrays.h"

#include <kaon/base/Error.h>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace nb = nanobind;

namespace kaon::python {
namespace {

constexpr int deepestNesting = 100;

nb::object arrayOf(const ObjectNumbers& numbers) {
  nb::object array = emptyArray(numbers.type, numbers.size());
  if (!numbers.bytes.empty())
    std::memcpy(dataOf(array), numbers.bytes.data(), numbers.bytes.size());
  return array;
}

nb::object valueToPython(const ObjectValue& value, const std::vector<nb::object>& parts) {
  return std::visit(
      [&](const auto& is) -> nb::object {
        using T = std::decay_t<decltype(is)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, std::string>) {
          return textOf(is);
        } else if constexpr (std::is_same_v<T, ObjectNumbers>) {
          return arrayOf(is);
        } else if constexpr (std::is_same_v<T, std::vector<ObjectValue>>) {
          nb::list items;
          for (const ObjectValue& item : is)
            items.append(valueToPython(item, parts));
          return items;
        } else if constexpr (std::is_same_v<T, ObjectPart>) {
          return parts[is.number];
        } else {
          return nb::cast(is);
        }
      },
      value.is);
}

class TreeBuilder {
public:
  ObjectTree build(const nb::object& value) {
    m_tree.root = valueFrom(value, 0);
    return std::move(m_tree);
  }

private:
  ObjectValue valueFrom(const nb::object& value, int depth) {
    if (depth > deepestNesting)
      fail(ErrorKind::usage, "objects lie in more than 100 others");
    if (value.is_none())
      return {};
    if (nb::isinstance<nb::bool_>(value))
      return {.is = nb::cast<bool>(value)};
    if (nb::isinstance<nb::int_>(value))
      return {.is = nb::cast<std::int64_t>(value)};
    if (nb::isinstance<nb::float_>(value))
      return {.is = nb::cast<double>(value)};
    if (nb::isinstance<nb::str>(value))
      return {.is = nb::cast<std::string>(value)};
    if (nb::isinstance<nb::list>(value)) {
      std::vector<ObjectValue> items;
      for (const nb::handle item : value)
        items.push_back(valueFrom(nb::borrow(item), depth + 1));
      return {.is = std::move(items)};
    }
    if (nb::isinstance<nb::dict>(value))
      return {.is = ObjectPart{partFrom(nb::cast<nb::dict>(value), depth)}};
    return {.is = numbersFrom(value)};
  }

  std::size_t partFrom(const nb::dict& members, int depth) {
    const std::size_t number = m_tree.parts.size();
    m_tree.parts.push_back({nb::cast<std::string>(members.attr("type")), {}, {}});
    for (const auto& [name, value] : members) {
      ObjectValue member = valueFrom(nb::borrow(value), depth + 1);
      m_tree.parts[number].members.push_back({"", nb::cast<std::string>(name), std::move(member)});
    }
    return number;
  }

  static ObjectNumbers numbersFrom(const nb::object& value) {
    const auto array = nb::cast<AnyArray>(value);
    for (const Scalar type :
         {Scalar::Bool, Scalar::Int8, Scalar::Int16, Scalar::Int32, Scalar::Int64, Scalar::UInt8,
          Scalar::UInt16, Scalar::UInt32, Scalar::UInt64, Scalar::Float32, Scalar::Float64})
      if (array.dtype() == dtypeOf(type)) {
        const auto* const bytes = static_cast<const std::byte*>(array.data());
        return {type, std::vector<std::byte>(bytes, bytes + array.nbytes())};
      }
    fail(ErrorKind::usage, "objects have arrays of bools, integers and floats only");
  }

  ObjectTree m_tree;
};

} // namespace

nb::str textOf(const std::string& text) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text.data(), std::ssize(text), "backslashreplace"));
}

nb::object toPython(const ObjectTree& tree, const nb::callable& make) {
  std::vector<nb::object> parts;
  for (const DescribedObject& part : tree.parts)
    parts.push_back(make(textOf(part.type), textOf(part.failure)));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::map<std::string_view, const DescribedObject::Member*> last; // of each name
    for (const auto& member : tree.parts[i].members)
      last[member.name] = &member;
    for (const auto& member : tree.parts[i].members) {
      const bool isHidden = last[member.name] != &member;
      const std::string name = isHidden ? member.owner + "::" + member.name : member.name;
      parts[i][textOf(name)] = valueToPython(member.value, parts);
    }
  }
  return valueToPython(tree.root, parts);
}

ObjectTree treeFrom(const nb::object& value) { return TreeBuilder().build(value); }

} // namespace kaon::python
