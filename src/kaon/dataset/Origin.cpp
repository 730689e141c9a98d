#include <kaon/dataset/Origin.h>

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <utility>

namespace kaon {
namespace {

/// Computes a number of each entry from its origin. `Rule` returns, for a part of the dataset, the
/// function from an entry to the number.
template <class Value, class Rule>
class OriginEvaluator final : public detail::Evaluator {
public:
  explicit OriginEvaluator(Rule rule) : m_rule(std::move(rule)) {}

  void begin(const detail::DatasetPart& part) override { m_part = part; }

  [[nodiscard]] bool canHold(const detail::KnownBounds& known) const override {
    if constexpr (requires { m_rule.canHold(m_part, known.entries); })
      return m_rule.canHold(m_part, known.entries);
    return true;
  }
  [[nodiscard]] bool mustHold(const detail::KnownBounds& known) const override {
    if constexpr (requires { m_rule.mustHold(m_part, known.entries); })
      return m_rule.mustHold(m_part, known.entries);
    return false;
  }

  detail::ColumnValues evaluate(const expression::Entries& entries,
                                std::span<const detail::ArgumentValues> /*arguments*/) override {
    auto* const out =
        detail::valuesAt<Value>(m_values.assign(entries.count * sizeof(Value)).data());
    const auto valueOf = m_rule(m_part);
    const std::span<const std::uint32_t> numbers = entries.numbers;
    const std::uint64_t first = entries.first;
    for (std::size_t i = 0; i < entries.count; ++i)
      out[i] = valueOf(first + (numbers.empty() ? i : numbers[i]));
    return {.values = m_values.data(), .size = entries.count};
  }

private:
  Rule m_rule;
  detail::DatasetPart m_part;
  Buffer m_values;
};

template <class Value, class Rule>
class OriginFunction final : public detail::Function {
public:
  explicit OriginFunction(Rule rule) : m_rule(std::move(rule)) {}
  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator() const override {
    return std::make_unique<OriginEvaluator<Value, Rule>>(m_rule);
  }
  [[nodiscard]] bool isRepeatable() const noexcept override { return true; }

private:
  Rule m_rule;
};

template <class Rule>
detail::Formula formulaOf(Rule rule) {
  using Value = decltype(rule(detail::DatasetPart())(std::uint64_t{0}));
  return {std::make_shared<OriginFunction<Value, Rule>>(std::move(rule)), {}, {scalarOf<Value>()}};
}

struct RangeRule {
  EntryRange range;
  auto operator()(const detail::DatasetPart& part) const {
    return [range = range, before = part.firstEntry](std::uint64_t entry) {
      return before + entry >= range.first && before + entry < range.last;
    };
  }
  [[nodiscard]] bool canHold(const detail::DatasetPart& part, EntryRange entries) const {
    return part.firstEntry + entries.last > range.first &&
           part.firstEntry + entries.first < range.last;
  }
  [[nodiscard]] bool mustHold(const detail::DatasetPart& part, EntryRange entries) const {
    return part.firstEntry + entries.first >= range.first &&
           part.firstEntry + entries.last <= range.last;
  }
};

struct SampleRule {
  std::size_t sample;
  auto operator()(const detail::DatasetPart& part) const {
    return [is = part.sample == sample](std::uint64_t) { return is; };
  }
  [[nodiscard]] bool canHold(const detail::DatasetPart& part, EntryRange) const {
    return part.sample == sample;
  }
  [[nodiscard]] bool mustHold(const detail::DatasetPart& part, EntryRange) const {
    return part.sample == sample;
  }
};

} // namespace

detail::Formula entryNumbers() {
  return formulaOf([](const detail::DatasetPart& part) {
    return [before = part.firstEntry](std::uint64_t entry) { return before + entry; };
  });
}

detail::Formula numbersInFile() {
  return formulaOf(
      [](const detail::DatasetPart&) { return [](std::uint64_t entry) { return entry; }; });
}

detail::Formula sampleNumbers() {
  return formulaOf([](const detail::DatasetPart& part) {
    return [sample = static_cast<std::uint32_t>(part.sample)](std::uint64_t) { return sample; };
  });
}

detail::Formula sampleWeights(std::shared_ptr<const Dataset> dataset) {
  return formulaOf([dataset = std::move(dataset)](const detail::DatasetPart& part) {
    return [weight = dataset->samples()[part.sample].weight](std::uint64_t) { return weight; };
  });
}

detail::Formula isInRange(EntryRange range) { return formulaOf(RangeRule{range}); }

detail::Formula isOfSample(std::size_t sample) { return formulaOf(SampleRule{sample}); }

} // namespace kaon
