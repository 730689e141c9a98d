#include <kaon/formats/sio/lcio/HeaderEncoder.h>

namespace kaon::sio::lcio {

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
  return all.empty() ? "" : all.front();
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
      m_values.put(parameter, entry, out);
    }
    if (isFurtherDue)
      putFurther();
    out.setCount(count, keys);
  }
}

} // namespace kaon::sio::lcio
