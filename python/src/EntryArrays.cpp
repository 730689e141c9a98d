#include <kaon/detail/base/Memory.h>

#include "EntryArrays.h"

#include "Module.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <iterator>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

void appendNumber(std::string& bytes, std::size_t number) {
  const auto value = static_cast<std::int32_t>(number);
  bytes.append(detail::valuesAt<char>(&value), sizeof value);
}

/// Keys and values, each behind the number of its bytes, behind the number of pairs.
std::string bytesOf(const std::map<std::string, std::string>& metadata) {
  std::string bytes;
  if (metadata.empty())
    return bytes;
  appendNumber(bytes, metadata.size());
  for (const auto& pair : metadata)
    for (const std::string& text : {pair.first, pair.second}) {
      appendNumber(bytes, text.size());
      bytes += text;
    }
  return bytes;
}

} // namespace

EntryArray::EntryArray(std::string format, std::string name, std::int64_t length,
                       const nb::typed<nb::sequence, nb::object>& buffers,
                       const nb::typed<nb::sequence, EntryArray>& children,
                       const nb::object& dictionary, std::int64_t nulls,
                       const std::map<std::string, std::string>& metadata)
    : m_format(std::move(format)), m_name(std::move(name)), m_metadata(bytesOf(metadata)) {
  for (const nb::handle buffer : buffers) {
    if (buffer.is_none()) {
      m_buffers.push_back(nullptr);
      continue;
    }
    m_buffers.push_back(m_owners.emplace_back(nb::cast<AnyArray>(buffer)).data());
  }
  for (const nb::handle child : children) {
    auto& part = nb::cast<EntryArray&>(child);
    m_types.push_back(&part.m_type);
    m_arrays.push_back(&part.m_values);
    m_parts.push_back(nb::borrow(child));
  }
  m_type = {.format = m_format.c_str(),
            .name = m_name.c_str(),
            .metadata = m_metadata.empty() ? nullptr : m_metadata.data(),
            .flags = nulls > 0 ? ARROW_FLAG_NULLABLE : 0,
            .n_children = std::ssize(m_types),
            .children = m_types.data()};
  m_values = {.length = length,
              .null_count = nulls,
              .n_buffers = std::ssize(m_buffers),
              .n_children = std::ssize(m_arrays),
              .buffers = m_buffers.data(),
              .children = m_arrays.data()};
  if (!dictionary.is_none()) {
    auto& values = nb::cast<EntryArray&>(dictionary);
    m_type.dictionary = &values.m_type;
    m_values.dictionary = &values.m_values;
    m_parts.push_back(dictionary);
  }
}

void bindEntryArrays(nb::module_& module) {
  nb::class_<EntryArray>(module, "EntryArray",
                         "An array of entries, or a part of one, as Arrow's C interface has it.")
      .def(nb::init<std::string, std::string, std::int64_t,
                    const nb::typed<nb::sequence, nb::object>&,
                    const nb::typed<nb::sequence, EntryArray>&, const nb::object&, std::int64_t,
                    const std::map<std::string, std::string>&>(),
           "format"_a, "name"_a, "length"_a, "buffers"_a, "children"_a = nb::list(),
           "dictionary"_a = nb::none(), "nulls"_a = 0,
           "metadata"_a = std::map<std::string, std::string>())
      .def("__len__", [](const EntryArray& self) { return self.values().length; });
}

} // namespace kaon::python
