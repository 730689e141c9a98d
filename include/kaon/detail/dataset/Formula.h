#pragma once

#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/detail/expression/Entries.h>
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
struct Extremes;
} // namespace kaon::expression

namespace kaon::detail {

struct DatasetPart;
struct KnownBounds;
struct Node;

/// A column that a formula takes: one of the dataset, by its name, or one that a node defines.
struct ColumnId {
  const Node* node = nullptr; ///< null: of the dataset
  std::string name;
  bool isListsOnly = false; ///< where the rows of the dataset's table of this name lie, no values
  bool isOptional = false;  ///< files of the dataset may lack it, which then has no values
  bool isFollowed = false;  ///< only relations lead to it: files may lack the collection
  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

/// A column as a formula wants it.
struct Argument {
  ColumnId column;
  ColumnType type;       ///< that the column has
  Scalar as;             ///< what its values are to be
  bool isPacked = false; ///< the entries' values are next to each other, in order
  std::shared_ptr<const Node> step = nullptr; ///< that computes it, where no other step knows it
};

/// What may be missing in a column. For each, a column of bools says where it is there.
struct Missing {
  bool values = false;
  std::optional<unsigned> lists = std::nullopt; ///< those that lie in so many lists

  [[nodiscard]] std::size_t columns() const { return (values ? 1 : 0) + (lists ? 1 : 0); }
  friend bool operator==(const Missing&, const Missing&) = default;
};

/// A column whose values may be missing.
struct OptionalArgument {
  Argument value;
  /// Says where values are there, in the same lists; none: everywhere.
  std::optional<Argument> present = std::nullopt;
  /// Says which lists are there, in fewer lists, where they may be missing as a whole.
  std::optional<Argument> presentLists = std::nullopt;
  /// Whether values may be missing in lists that are there.
  bool mayLackValues = false;

  [[nodiscard]] Missing missing() const {
    return {mayLackValues, presentLists ? std::optional(presentLists->type.depth) : std::nullopt};
  }
  /// The columns that show all of it: the values, then the bools that missing() says.
  [[nodiscard]] std::vector<Argument> shown() && {
    std::vector<Argument> arguments = {std::move(value)};
    if (mayLackValues)
      arguments.push_back(*std::move(present));
    if (presentLists)
      arguments.push_back(*std::move(presentLists));
    return arguments;
  }
};

/// What a formula gets of a column: entry i is `column`'s entry `entries[i]`, or its entry i
/// where there is no such list.
struct ArgumentValues {
  ColumnValues column;
  const std::uint32_t* entries = nullptr;
};

/// ", not a list of bool; any() or all() makes one of it": what is said of what is no such bool.
[[nodiscard]] std::string notBools(ColumnType type, unsigned depth = 0);

/// A function of columns at work, for one thread.
class Evaluator {
public:
  virtual ~Evaluator() = default;
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  /// The entries that follow are of this part of the dataset.
  virtual void begin(const DatasetPart& /*part*/) {}
  /// Of a filter: whether it can be true for any of some entries. Where not, nothing is read.
  [[nodiscard]] virtual bool canHold(const KnownBounds& /*known*/) const { return true; }
  /// Of a filter: whether it is known to be true for all of some entries.
  [[nodiscard]] virtual bool mustHold(const KnownBounds& /*known*/) const { return false; }
  /// The extremes of what it computes of some entries, in all lists; nothing: they are not known.
  [[nodiscard]] virtual std::optional<expression::Extremes>
  extremes(const KnownBounds& known) const;
  /// Computes a column of these entries, at least one. It lasts until the next call. Throws
  /// EntryFailure, or Error, which says the entry's number.
  [[nodiscard]] virtual ColumnValues evaluate(const expression::Entries& entries,
                                              std::span<const ArgumentValues> arguments) = 0;
};

/// What a user's function threw, and for which of the entries.
struct EntryFailure {
  std::size_t entry = 0;
  std::exception_ptr cause;
};

/// A function of columns, whose result is a column.
class Function {
public:
  virtual ~Function() = default;
  Function() = default;
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  [[nodiscard]] virtual std::unique_ptr<Evaluator> evaluator() const = 0;
  /// Whether it gives the same for the same, as users' functions may not, and so may be called
  /// again.
  [[nodiscard]] virtual bool isRepeatable() const noexcept { return false; }
  /// A pass over the dataset is over, of which this may have been part. One thread.
  virtual void finish() const {}
};

/// A function and what it is called with.
struct Formula {
  std::shared_ptr<const Function> function;
  std::vector<Argument> arguments;
  ColumnType type; ///< of the result
};

} // namespace kaon::detail
