#include <kaon/formats/sio/lcio/HeaderEncoder.h>

#include <kaon/base/Error.h>

namespace kaon::sio::lcio {

void HeaderEncoder::checkSingle(std::string_view name, std::size_t values,
                                std::size_t entry) const {
  if (values > 1)
    fail(ErrorKind::usage, m_file, ": entry ", m_batch.firstEntry() + entry, ": '", name, "' has ",
         values, " values; LCIO's headers have one: leave it out, or rename it");
}

std::vector<std::string> HeaderEncoder::texts(std::string_view name, std::size_t entry) const {
  std::vector<std::string> all;
  if (const auto table = m_plan.header.find(name); table != m_plan.header.end()) {
    const auto [first, last] = m_values.rows(table->second, entry);
    for (std::size_t row = first; row < last; ++row)
      all.emplace_back(m_values.textAt(table->second, row));
  }
  return all;
}

std::string HeaderEncoder::text(std::string_view name, std::size_t entry) const {
  const std::vector<std::string> all = texts(name, entry);
  checkSingle(name, all.size(), entry);
  return all.empty() ? "" : all.front();
}

std::optional<float> HeaderEncoder::firstNumber(const ParameterPlan& parameter,
                                                std::size_t entry) const {
  const auto [first, last] = m_values.rows(parameter.table, entry);
  if (!m_values.has(parameter, entry) || first == last)
    return std::nullopt;
  return detail::loadAs<float>(m_batch.table(parameter.table).members[0].at(first));
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
      if (parameter.type != type || !m_values.has(parameter, entry))
        continue;
      if (isFurtherDue && further->key <= parameter.key)
        putFurther();
      if (further && further->type == type && further->key == parameter.key)
        continue;
      ++keys;
      out.put(std::string_view(parameter.key));
      m_values.put(parameter, entry, out);
    }
    if (isFurtherDue)
      putFurther();
    out.setCount(count, keys);
  }
}

} // namespace kaon::sio::lcio
