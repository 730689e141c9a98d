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
  if (const auto field = m_plan.header.find(name); field != m_plan.header.end()) {
    const detail::RowRange rows = m_values.rows(field->second, entry);
    for (std::size_t row = rows.first; row < rows.last; ++row)
      all.emplace_back(m_values.text(field->second, row));
  }
  return all;
}

std::string HeaderEncoder::text(std::string_view name, std::size_t entry) const {
  const std::vector<std::string> all = texts(name, entry);
  checkSingle(name, all.size(), entry);
  return all.empty() ? "" : all.front();
}

std::optional<float> HeaderEncoder::firstNumber(const FrameParameter& parameter,
                                                std::size_t entry) const {
  const detail::RowRange rows = m_values.rows(parameter, entry);
  if (rows.size() == 0)
    return std::nullopt;
  return detail::loadAs<float>(m_values.number(parameter, rows.first));
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
      if (parameter.from.type != type || !m_values.has(parameter.from, entry))
        continue;
      if (isFurtherDue && further->key <= parameter.key)
        putFurther();
      if (further && further->type == type && further->key == parameter.key)
        continue;
      ++keys;
      out.put(std::string_view(parameter.key));
      putValues(m_values, parameter.from, entry, out);
    }
    if (isFurtherDue)
      putFurther();
    out.setCount(count, keys);
  }
}

} // namespace kaon::sio::lcio
