#include <kaon/dataset/TextPositions.h>

#include <kaon/detail/base/Memory.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kaon {
namespace {

using PositionsOfTexts = std::unordered_map<std::string_view, double>;

class TextPositionsEvaluator final : public detail::Evaluator {
public:
  /// @param lists number of lists around the texts
  TextPositionsEvaluator(const PositionsOfTexts& places, double none, unsigned lists)
      : m_places(&places), m_none(none), m_lists(lists) {}

  detail::ColumnValues evaluate(const expression::Entries& /*entries*/,
                                std::span<const detail::ArgumentValues> arguments) override {
    detail::ColumnValues column = arguments[0].column;
    const auto* const characters = detail::valuesAt<char>(column.values);
    const std::span<const std::uint32_t> offsets = std::exchange(column.offsets[m_lists], {});
    m_values.resize(offsets.size() - 1);
    for (std::size_t i = 0; i < m_values.size(); ++i) {
      const auto place =
          m_places->find(std::string_view(characters + offsets[i], offsets[i + 1] - offsets[i]));
      m_values[i] = place == m_places->end() ? m_none : place->second;
    }
    column.values = detail::bytesAt(m_values.data());
    column.size = m_values.size();
    return column;
  }

private:
  const PositionsOfTexts* m_places;
  double m_none;
  unsigned m_lists;
  std::vector<double> m_values;
};

class TextPositionsFunction final : public detail::Function {
public:
  TextPositionsFunction(std::vector<std::string> texts, unsigned lists)
      : m_texts(std::move(texts)), m_lists(lists) {
    for (std::size_t i = 0; i < m_texts.size(); ++i) // of equal texts, the first
      m_places.emplace(m_texts[i], static_cast<double>(i));
  }
  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator() const override {
    return std::make_unique<TextPositionsEvaluator>(m_places, static_cast<double>(m_texts.size()),
                                                    m_lists);
  }

private:
  std::vector<std::string> m_texts;
  PositionsOfTexts m_places; // in `m_texts`
  unsigned m_lists;
};

} // namespace

detail::Formula textPositions(detail::ColumnArgument column, std::vector<std::string> texts) {
  const unsigned lists = column.type.lists();
  column.isPacked = true;
  detail::Formula formula;
  formula.function = std::make_shared<TextPositionsFunction>(std::move(texts), lists);
  formula.arguments = {std::move(column)};
  formula.type = {Scalar::Float64, lists};
  return formula;
}

} // namespace kaon
