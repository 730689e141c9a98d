#include <kaon/formats/sio/lcio/HeaderEncoder.h>

#include <kaon/base/Bytes.h>

#include <algorithm>
#include <optional>

namespace kaon::sio::lcio {

/// The rows of an entry: the first one, and the end.
std::pair<std::size_t, std::size_t> HeaderEncoder::rows(std::uint32_t table,
                                                        std::size_t entry) const {
  if (!m_batch.schema().table(table).isCounted())
    return {entry, entry + 1};
  const auto offsets = m_batch.table(table).offsets;
  return {offsets[entry], offsets[entry + 1]};
}

/// A text of a parameter, whose characters are the table under it.
std::string_view HeaderEncoder::textAt(std::uint32_t table, std::size_t row) const {
  for (const std::uint32_t under : m_batch.schema().tablesUnder(table))
    if (under != table) {
      const TableView& characters = m_batch.table(under);
      const std::uint32_t begin = characters.offsets[row], end = characters.offsets[row + 1];
      if (begin == end)
        return {};
      return {reinterpret_cast<const char*>(characters.members[0].at(begin)), end - begin};
    }
  return {};
}

std::vector<std::string> HeaderEncoder::texts(std::string_view name, std::size_t entry) const {
  std::vector<std::string> all;
  if (const auto table = m_plan.header.find(name); table != m_plan.header.end()) {
    const auto [first, last] = rows(table->second, entry);
    for (std::size_t row = first; row < last; ++row)
      all.emplace_back(textAt(table->second, row));
  }
  return all;
}

std::string HeaderEncoder::text(std::string_view name, std::size_t entry) const {
  const std::vector<std::string> all = texts(name, entry);
  return all.empty() ? "" : all.front();
}

bool HeaderEncoder::has(const ParameterPlan& parameter, std::size_t entry) const {
  const auto present = m_batch.table(parameter.table).present;
  return present.empty() || present[entry] != std::byte{0};
}

void HeaderEncoder::putParameters(const std::vector<ParameterPlan>& parameters, std::size_t entry,
                                  const Further* further, BlockWriter& out) const {
  for (const ParameterType type : lcioParameters) {
    const std::size_t count = out.laterCount();
    std::uint32_t keys = 0;
    bool isFurtherDue = further && further->type == type;
    const auto putFurther = [&] {
      ++keys;
      isFurtherDue = false;
      out.put(further->key);
      if (type == ParameterType::string) {
        out.putCount(further->texts.size());
        for (const std::string& text : further->texts)
          out.put(std::string_view(text));
      } else {
        out.putCount(1);
        out.put(further->number);
      }
    };
    for (const ParameterPlan& parameter : parameters) {
      if (parameter.type != type || !has(parameter, entry))
        continue;
      if (isFurtherDue && further->key <= parameter.key)
        putFurther();
      if (further && further->type == type && further->key == parameter.key)
        continue;
      ++keys;
      out.put(std::string_view(parameter.key));
      putValues(parameter, entry, out);
    }
    if (isFurtherDue)
      putFurther();
    out.setCount(count, keys);
  }
}

void HeaderEncoder::putValues(const ParameterPlan& parameter, std::size_t entry,
                              BlockWriter& out) const {
  const auto [first, last] = rows(parameter.table, entry);
  out.putCount(last - first);
  for (std::size_t row = first; row < last; ++row) {
    if (parameter.type == ParameterType::string) {
      out.put(textAt(parameter.table, row));
      continue;
    }
    const std::byte* const value = m_batch.table(parameter.table).members[0].at(row);
    if (parameter.type == ParameterType::float64)
      out.put(loadAs<std::uint64_t>(value));
    else
      out.put(loadAs<std::uint32_t>(value));
  }
}

} // namespace kaon::sio::lcio
