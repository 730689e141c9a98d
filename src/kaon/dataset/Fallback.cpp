#include <kaon/detail/dataset/Fallback.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/model/Lossless.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns the type of a column in a source; nothing if the source lacks it.
std::optional<ColumnType> typeIn(const Source& source, std::string_view column) {
  try {
    return columnPlace(source.schema(), column).type;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::name)
      fail(error.kind(), source.name(), ": ", error.what());
    return std::nullopt;
  }
}

/// Returns whether a type can hold a number, rounded if the type is a float.
template <class To, class From>
bool isOneOf(From number) {
  if constexpr (std::is_floating_point_v<To>)
    return std::isfinite(static_cast<To>(number)) || !std::isfinite(static_cast<double>(number));
  else if constexpr (std::is_integral_v<From>)
    return std::in_range<To>(number);
  else // Floats may not be able to represent the limits; these bounds are the limits or the next
       // floats outside.
    return std::trunc(number) == number &&
           number >= static_cast<double>(std::numeric_limits<To>::min()) &&
           number < std::ldexp(1.0, std::numeric_limits<To>::digits);
}

/// Returns the bytes of a number converted to a type.
std::uint64_t bitsAs(Scalar type, const Number& value, std::string_view column) {
  std::uint64_t bits = 0;
  const bool isOne = std::visit(
      [&](auto number) {
        return withScalar(type, [&]<class To>(To) {
          if (!isOneOf<To>(number) || (type == Scalar::Bool && number != 0 && number != 1))
            return false;
          const To converted = static_cast<To>(number);
          std::memcpy(&bits, &converted, sizeof converted);
          return true;
        });
      },
      value.value);
  if (!isOne)
    fail(ErrorKind::type, "fallback of '", column, "': the column is ", withArticle(nameOf(type)),
         ", but the number does not fit into this type");
  return bits;
}

/// Returns whether a type can hold all values of another type; bools are 0 and 1.
bool holdsAll(Scalar type, Scalar values) {
  const bool isOfBools = values == Scalar::Bool && type != Scalar::Bool;
  return isLossless(isOfBools ? Scalar::UInt8 : values, type);
}

/// Whether any file of a pass has the column.
struct Findings {
  std::atomic<bool> isSought = false;
  std::atomic<bool> isFound = false;
};

class FallbackEvaluator final : public Evaluator {
public:
  FallbackEvaluator(std::string_view column, Scalar type, std::uint64_t bits,
                    std::shared_ptr<Findings> findings)
      : m_column(column), m_type(type), m_bits(bits), m_findings(std::move(findings)) {}

  void begin(const DatasetPart& part) override {
    if (part.source == m_source)
      return;
    m_source = part.source;
    m_stored.reset();
    m_findings->isSought = true;
    const std::optional<ColumnType> type = typeIn(*part.source, m_column);
    if (!type)
      return;
    if (type->depth > 0 || !holdsAll(m_type, type->scalar))
      fail(ErrorKind::type, part.source->name(), ": '", m_column, "' is ",
           withArticle(nameOf(*type)), ", but ", withArticle(nameOf(m_type)),
           " in fallback(); give fallback() a number of the column's type");
    m_stored = type->scalar;
    m_findings->isFound = true;
  }

  /// All values of a file without the column are known.
  [[nodiscard]] std::optional<expression::ValueBounds>
  extremes(const KnownBounds& known) const override {
    return m_stored ? known.extremes(0) : numbersOf({m_bits, m_bits}, m_type);
  }

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> arguments) override {
    const ArgumentValues& stored = arguments[0];
    if (m_stored == m_type && !stored.entries)
      return stored.column;
    std::byte* const out = m_values.assign(entries.count * sizeOf(m_type)).data();
    withScalar(m_type, [&]<class To>(To value) {
      auto* const values = detail::valuesAt<To>(out);
      std::memcpy(&value, &m_bits, sizeof value);
      if (!m_stored)
        std::fill_n(values, entries.count, value);
      else
        withScalar(*m_stored, [&]<class From>(From) {
          const auto* const from = detail::valuesAt<From>(stored.column.values);
          for (std::size_t i = 0; i < entries.count; ++i)
            values[i] = static_cast<To>(from[stored.entries ? stored.entries[i] : i]);
        });
    });
    return {.values = out, .size = entries.count};
  }

private:
  std::string m_column;
  Scalar m_type;
  std::uint64_t m_bits;
  std::shared_ptr<Findings> m_findings;
  const Source* m_source = nullptr;
  std::optional<Scalar> m_stored; // empty: the file lacks the column
  Buffer m_values;
};

class FallbackFunction final : public Function {
public:
  FallbackFunction(std::string column, Scalar type, std::uint64_t bits, std::string where)
      : m_column(std::move(column)), m_type(type), m_bits(bits), m_where(std::move(where)) {}

  [[nodiscard]] std::unique_ptr<Evaluator> evaluator() const override {
    return std::make_unique<FallbackEvaluator>(m_column, m_type, m_bits, m_findings);
  }

  /// Warns if no file has the column. Else a misspelt name would silently have the same value
  /// everywhere.
  void finish() const override {
    const bool isFound = m_findings->isFound.exchange(false);
    if (m_findings->isSought.exchange(false) && !isFound)
      warn(WarningKind::unreadMember, m_where + ": no file that was read has '" + m_column +
                                          "'; all entries have the number of fallback()");
  }

private:
  std::string m_column;
  Scalar m_type;
  std::uint64_t m_bits;
  std::string m_where;
  std::shared_ptr<Findings> m_findings = std::make_shared<Findings>();
};

} // namespace

Formula columnOr(const DataframeNode& node, std::string_view column, const Number& value) {
  if (definitionOf(node, column))
    fail(ErrorKind::usage, "'", column,
         "' was defined, so every entry has it and needs no fallback");
  const Dataset& dataset = *beginningOf(node).dataset;
  const ColumnType type = typeIn(dataset.first(), column).value_or(ColumnType{value.type, 0});
  if (type.depth > 0)
    fail(ErrorKind::type, "'", column, "' is ", withArticle(nameOf(type)),
         ", but a fallback is for columns with one number in each entry");
  return {std::make_shared<FallbackFunction>(std::string(column), type.scalar,
                                             bitsAs(type.scalar, value, column), dataset.name()),
          {{{.name = std::string(column), .isOptional = true}, type, type.scalar}},
          type};
}

} // namespace kaon::detail
