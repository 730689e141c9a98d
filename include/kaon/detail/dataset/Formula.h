#pragma once

#include <kaon/detail/expression/Entries.h>
#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::expression {
struct ValueBounds;
} // namespace kaon::expression

namespace kaon::detail {

struct DatasetPart;
struct KnownBounds;
struct DataframeNode;

/// A column that a formula takes: a column of the dataset, by name, or a column that a node
/// defines.
struct ColumnId {
  const DataframeNode* node = nullptr; ///< Null: a column of the dataset.
  std::string name;
  bool isListsOnly = false; ///< The lists of the table `name`, without values.
  bool isOptional = false;  ///< Files may lack the column; then it has no values.
  bool isFollowed = false;  ///< Only relations lead to it: files may lack its collection.
  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

/// A column in the form that a formula needs.
struct ColumnArgument {
  ColumnId column;
  ColumnType type;       ///< The type of the column.
  Scalar as;             ///< Values are converted to this type.
  bool isPacked = false; ///< Values are contiguous and in order.
  std::shared_ptr<const DataframeNode> step =
      nullptr; ///< Computes the column for this argument only.
};

/// The parts of a column that may be missing. For each part, a column of bools tells which exist.
struct Missing {
  bool values = false;
  std::optional<unsigned> lists = std::nullopt; ///< lists inside this many levels of lists

  [[nodiscard]] std::size_t columns() const { return (values ? 1 : 0) + (lists ? 1 : 0); }
  friend bool operator==(const Missing&, const Missing&) = default;
};

/// A column whose values may be missing.
struct OptionalArgument {
  ColumnArgument value;
  /// Tells which values exist, in the same lists as the values. Empty: all values exist.
  std::optional<ColumnArgument> present = std::nullopt;
  /// Tells which lists exist, if whole lists may be missing. Has fewer levels of lists than the
  /// values.
  std::optional<ColumnArgument> presentLists = std::nullopt;
  /// Whether values in existing lists may be missing.
  bool mayLackValues = false;

  [[nodiscard]] Missing missing() const {
    return {mayLackValues, presentLists ? std::optional(presentLists->type.depth) : std::nullopt};
  }
  /// Returns the columns that describe the argument completely: the values, then the bools of
  /// missing().
  [[nodiscard]] std::vector<ColumnArgument> shown() && {
    std::vector<ColumnArgument> arguments = {std::move(value)};
    if (mayLackValues)
      arguments.push_back(*std::move(present));
    if (presentLists)
      arguments.push_back(*std::move(presentLists));
    return arguments;
  }
};

/// The values of a column for a formula. Entry i is entry `entries[i]` of `column`, or entry i if
/// `entries` is null.
struct ArgumentValues {
  ColumnValues column;
  const std::uint32_t* entries = nullptr;
};

/// Returns the end of a message about a column that is not of bools: ", not a list of bool; any()
/// or all() makes one of it".
[[nodiscard]] std::string notBools(ColumnType type, unsigned depth = 0);

/// Computes a function of columns, for one thread.
class Evaluator {
public:
  virtual ~Evaluator() = default;
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  /// Begins the part of the dataset that the following entries belong to.
  virtual void begin(const DatasetPart& /*part*/) {}
  /// For a filter: returns whether it can be true for any of these entries. If not, nothing is
  /// read.
  [[nodiscard]] virtual bool canHold(const KnownBounds& /*known*/) const { return true; }
  /// For a filter: returns whether it is certainly true for all of these entries.
  [[nodiscard]] virtual bool mustHold(const KnownBounds& /*known*/) const { return false; }
  /// Returns the extremes of the results for these entries, through all lists; nothing if unknown.
  [[nodiscard]] virtual std::optional<expression::ValueBounds>
  extremes(const KnownBounds& known) const;
  /// Computes a column for these entries, at least one. The column is valid until the next call.
  /// Throws EntryFailure, or an Error that already names the entry.
  [[nodiscard]] virtual ColumnValues evaluate(const expression::Entries& entries,
                                              std::span<const ArgumentValues> arguments) = 0;
};

/// An exception of a user's function, with the entry for which it was thrown.
struct EntryFailure {
  std::size_t entry = 0;
  std::exception_ptr cause;
};

/// A function of columns whose result is a column.
class Function {
public:
  virtual ~Function() = default;
  Function() = default;
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  [[nodiscard]] virtual std::unique_ptr<Evaluator> evaluator() const = 0;
  /// Returns whether equal arguments give equal results, so that it may be called again. Functions
  /// of users may not.
  [[nodiscard]] virtual bool isRepeatable() const noexcept { return false; }
  /// Called after each pass over the dataset, even if the function took no part. One thread.
  virtual void finish() const {}
};

/// A function and its arguments.
struct Formula {
  std::shared_ptr<const Function> function;
  std::vector<ColumnArgument> arguments;
  ColumnType type; ///< of the result
};

} // namespace kaon::detail
