#include <kaon/dataset/Origin.h>

#include <kaon/dataset/Dataset.h>

#include <algorithm>
#include <utility>

namespace kaon {
namespace {

/// A number of each entry that follows from where it is.
template <class Value, class Rule>
class OriginEvaluator final : public Evaluator {
public:
  explicit OriginEvaluator(Rule rule) : m_rule(std::move(rule)) {}

  void begin(const DatasetPart& part) override { m_part = part; }

  [[nodiscard]] bool canHold(const KnownBounds& known) const override {
    if constexpr (requires { m_rule.canHold(m_part, known.entries); })
      return m_rule.canHold(m_part, known.entries);
    return true;
  }

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> /*arguments*/) override {
    auto* const out =
        reinterpret_cast<Value*>(m_values.assign(entries.count * sizeof(Value)).data());
    for (std::size_t i = 0; i < entries.count; ++i)
      out[i] = m_rule(m_part, entries.numberOf(i));
    return {.values = m_values.data(), .size = entries.count};
  }

private:
  Rule m_rule;
  DatasetPart m_part;
  Buffer m_values;
};

template <class Value, class Rule>
class OriginFunction final : public Function {
public:
  explicit OriginFunction(Rule rule) : m_rule(std::move(rule)) {}
  [[nodiscard]] std::unique_ptr<Evaluator> evaluator() const override {
    return std::make_unique<OriginEvaluator<Value, Rule>>(m_rule);
  }
  [[nodiscard]] bool isRepeatable() const noexcept override { return true; }

private:
  Rule m_rule;
};

template <class Rule>
Formula formulaOf(Rule rule) {
  using Value = decltype(rule(DatasetPart(), std::uint64_t{0}));
  return {std::make_shared<OriginFunction<Value, Rule>>(std::move(rule)), {}, {scalarOf<Value>()}};
}

struct RangeRule {
  EntryRange range;
  bool operator()(const DatasetPart& part, std::uint64_t entry) const {
    return part.firstEntry + entry >= range.first && part.firstEntry + entry < range.last;
  }
  [[nodiscard]] bool canHold(const DatasetPart& part, EntryRange entries) const {
    return part.firstEntry + entries.last > range.first &&
           part.firstEntry + entries.first < range.last;
  }
};

struct SampleRule {
  std::size_t sample;
  bool operator()(const DatasetPart& part, std::uint64_t) const { return part.sample == sample; }
  [[nodiscard]] bool canHold(const DatasetPart& part, EntryRange) const {
    return part.sample == sample;
  }
};

} // namespace

Formula entryNumbers() {
  return formulaOf(
      [](const DatasetPart& part, std::uint64_t entry) { return part.firstEntry + entry; });
}

Formula numbersInFile() {
  return formulaOf([](const DatasetPart&, std::uint64_t entry) { return entry; });
}

Formula sampleNumbers() {
  return formulaOf([](const DatasetPart& part, std::uint64_t) {
    return static_cast<std::uint32_t>(part.sample);
  });
}

Formula sampleWeights(std::shared_ptr<const Dataset> dataset) {
  return formulaOf([dataset = std::move(dataset)](const DatasetPart& part, std::uint64_t) {
    return dataset->samples()[part.sample].weight;
  });
}

Formula isInRange(EntryRange range) { return formulaOf(RangeRule{range}); }

Formula isOfSample(std::size_t sample) { return formulaOf(SampleRule{sample}); }

} // namespace kaon
