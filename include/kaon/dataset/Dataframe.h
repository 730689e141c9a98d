#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/Histogram.h>
#include <kaon/dataset/Result.h>
#include <kaon/detail/dataset/ColumnArray.h>
#include <kaon/detail/dataset/EntryFunction.h>
#include <kaon/detail/dataset/Fallback.h>
#include <kaon/detail/dataset/Gathering.h>
#include <kaon/writing/WriterOptions.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

/// The file that Dataframe::snapshot() writes.
struct SnapshotOptions {
  std::string category = {}; ///< in the new file; empty: as in the dataset
  /// How the file is written. The path's suffix decides its format unless `format` is set.
  WriterOptions writer = {};
};

namespace expression {
class Expression;
} // namespace expression

/// Columns and selected entries of a dataset. Columns are those in the files and those that you
/// define.
///
/// Nothing is read until you access a result. Then one pass computes all booked results, batch by
/// batch, with all threads of the caller's arena. Results do not depend on the number of threads. A
/// dataframe is immutable: each function returns a new one.
///
///   auto events = kaon::dataset({"run7/*.kaon"}, "events");
///   auto pairs = events.filter([](Array<float> pt) { return pt.size() == 2; }, {"Muon.pt"});
///   auto mass = pairs.define("mass", dimuonMass, {"Muon.pt", "Muon.eta", "Muon.phi"})
///                    .histogram({100, 0, 200}, "mass");
///
/// Functions receive the values of their columns for one entry: numbers, kaon::Array<number>,
/// kaon::Array<kaon::Array<number>>, std::string_view or kaon::Array<std::string_view>. Three forms
/// of functions exist:
/// - A function whose parameters match its columns is called for each entry.
/// - A function of single numbers or texts, whose columns have lists, is called for each object.
///   Values of the entry are repeated for each of its objects.
/// - A function of std::span<const number> or std::span<const std::string_view> is called for each
///   batch.
///
/// Functions return numbers, texts, or ranges of either. Several threads call them at the same
/// time. If a function throws, the result throws an Error that names the entry.
///
/// Columns have the names of members, "Muon.pt"; "#Muon" is the number of muons. Further columns
/// tell where an entry comes from: "dataset.entry", its number over all files,
/// "dataset.fileEntry", "dataset.sample" and "dataset.weight". Expressions work in place of
/// columns: take("Muon.matched.pt"), histogram(axis, "max(Muon.pt)"). Functions that take columns
/// throw at once: Error(name) with a suggestion, and Error(type).
class Dataframe {
public:
  explicit Dataframe(std::shared_ptr<const Dataset> dataset);
  // Moving copies, so a Dataframe is never empty.
  Dataframe(const Dataframe&) = default;
  Dataframe& operator=(const Dataframe&) = default;

  /// Keeps entries for which a function returns true.
  template <class F>
  [[nodiscard]] Dataframe filter(F function, const std::vector<std::string>& columns,
                                 std::string label = {}) const {
    return filter(detail::formulaOf(std::move(function), m_node, columns), std::move(label));
  }
  /// Keeps entries for which an expression is true, for example "count(Muon[Muon.pt > 20]) >= 2".
  /// See docs/expressions.md.
  [[nodiscard]] Dataframe filter(std::string_view expression, std::string label = {}) const;
  /// Adds a column that a function computes.
  template <class F>
  [[nodiscard]] Dataframe define(std::string name, F function,
                                 const std::vector<std::string>& columns) const {
    return define(std::move(name), detail::formulaOf(std::move(function), m_node, columns));
  }
  /// Adds a column that an expression computes. If the expression selects objects, such as
  /// "Muon[Muon.pt > 20]", `name` names these objects in later expressions.
  [[nodiscard]] Dataframe define(std::string name, std::string_view expression) const;
  /// Replaces a column.
  template <class F>
  [[nodiscard]] Dataframe redefine(std::string name, F function,
                                   const std::vector<std::string>& columns) const {
    return redefine(std::move(name), detail::formulaOf(std::move(function), m_node, columns));
  }
  [[nodiscard]] Dataframe redefine(std::string name, std::string_view expression) const;
  /// Gives a column a value for files of the dataset that lack it, such as a trigger's column. The
  /// column must have one number per entry. It keeps its type in the first file, or has the type of
  /// `value` if the first file lacks it. Other files' values are converted to this type: throws
  /// Error(type) if a value could change. Warns if no file has the column.
  [[nodiscard]] Dataframe fallback(std::string column, Number value) const;
  /// Gives a column a further name.
  [[nodiscard]] Dataframe alias(std::string name, std::string column) const;
  /// Gives a column other values in a variation; in all other variations it keeps its values.
  /// Results have the nominal value, and variations() returns the values in all variations. Calls
  /// with the same `variation` for several columns vary them together.
  template <class F>
  [[nodiscard]] Dataframe vary(std::string column, std::string variation, F function,
                               const std::vector<std::string>& columns) const {
    return vary(std::move(column), std::move(variation),
                detail::formulaOf(std::move(function), m_node, columns));
  }
  [[nodiscard]] Dataframe vary(std::string column, std::string variation,
                               std::string_view expression) const;

  /// Keeps the entries [first, last), by their numbers in the dataset, wherever this step stands.
  [[nodiscard]] Dataframe range(std::uint64_t first, std::uint64_t last) const;
  /// Keeps the entries of a sample. Throws Error(name) with a suggestion if no sample has this
  /// label.
  [[nodiscard]] Dataframe sample(std::string_view label) const;

  /// Makes each object of a collection an entry. "Muon.pt" becomes a number, and other columns
  /// repeat the event's value for each of its muons. All columns whose names begin with "Muon."
  /// must have lists of the same lengths: else evaluating them throws Error(usage).
  [[nodiscard]] Dataframe explode(std::string collection) const;
  /// Ends the last explode(): an entry is again an event, and columns of the objects are lists of
  /// the objects that passed the filters. Throws Error(usage) without an explode() before.
  [[nodiscard]] Dataframe implode() const;

  /// Counts the entries.
  [[nodiscard]] Result<std::uint64_t> count() const;
  // These functions use all values of a column, also those in lists.

  /// Sums floats as double, and integers exactly. The sum is a uint64 for unsigned columns, else an
  /// int64. For bools, it is the number of true values. Reading the result throws Error(type) if it
  /// exceeds this type.
  [[nodiscard]] Result<Number> sum(std::string_view column) const;
  /// Returns the least value, ignoring NaN, or nothing if there are no values. The number has the
  /// type described at sum().
  [[nodiscard]] Result<std::optional<Number>> min(std::string_view column) const;
  [[nodiscard]] Result<std::optional<Number>> max(std::string_view column) const;
  /// Returns the mean, or nothing if there are no values. For integers it is computed from their
  /// exact sum.
  [[nodiscard]] Result<std::optional<double>> mean(std::string_view column) const;
  [[nodiscard]] Result<Statistics> stats(std::string_view column) const;
  /// Returns the values of all entries in order, as a std::vector<T>. If T is an array, the
  /// elements are vectors; if T is std::string_view, they are std::string.
  template <class T>
  [[nodiscard]] auto take(const std::string& column) const {
    using Value = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;
    const detail::ColumnType type = detail::EntryValue<Value>::type;
    std::vector<detail::ColumnArgument> arguments =
        detail::argumentsNamed(m_node, std::span(&column, 1), std::span(&type, 1));
    detail::checkDepths(arguments, std::span(&column, 1), std::span(&type, 1));
    return book(detail::Taken<Value>(), std::move(arguments));
  }
  /// Returns a column as one array whose type is known only at run time.
  [[nodiscard]] Result<detail::ColumnArray> take(std::string_view column) const;
  /// Combines all values of a column, also those in lists, by a function of two values. The
  /// function must be associative and commutative, like a sum or a product. Nothing if there are no
  /// values.
  template <class F>
  [[nodiscard]] auto reduce(F function, const std::string& column) const {
    using T = std::tuple_element_t<0, typename detail::SignatureOf<F>::Arguments>;
    static_assert(std::is_arithmetic_v<T>,
                  "reduce() takes functions of two numbers; use aggregate() for texts");
    const detail::ColumnType type = {scalarOf<T>(), 0};
    std::vector<detail::ColumnArgument> arguments =
        detail::argumentsNamed(m_node, std::span(&column, 1), std::span(&type, 1));
    detail::pack(arguments);
    return book(detail::Reduced<T, F>{std::move(function)}, std::move(arguments));
  }
  /// Computes `state = add(state, value...)` for all entries of a part of the dataset, beginning
  /// with `initial`, then `state = merge(state, next)` over the parts in order. Functions that
  /// return void change the state in place. If `add` takes std::span<const number>, it is called
  /// once for each batch, with the values of all its entries or objects.
  template <class State, class Add, class Merge>
  [[nodiscard]] Result<State> aggregate(State initial, Add add, Merge merge,
                                        const std::vector<std::string>& columns) const {
    return aggregateOf(std::move(initial), std::move(add), std::move(merge), columns,
                       std::type_identity<typename detail::SignatureOf<Add>::Values>());
  }

  /// Counts the values of a column in bins, also those in lists. `weight` names a column with one
  /// weight for each value or each entry.
  [[nodiscard]] Result<Histogram> histogram(const Axis& axis, std::string_view column,
                                            std::string_view weight = {}) const;
  /// Fills a histogram in several dimensions.
  [[nodiscard]] Result<Histogram> histogram(const std::vector<Axis>& axes,
                                            const std::vector<std::string>& columns,
                                            std::string_view weight = {}) const;

  /// Computes the mean and the spread of `averaged` in bins of other columns.
  [[nodiscard]] Result<Profile> profile(const Axis& axis, std::string_view column,
                                        std::string_view averaged,
                                        std::string_view weight = {}) const;
  [[nodiscard]] Result<Profile> profile(const std::vector<Axis>& axes,
                                        const std::vector<std::string>& columns,
                                        std::string_view averaged,
                                        std::string_view weight = {}) const;

  /// Counts the entries that reach and pass each filter up to here. With `weight`, sums this weight
  /// of the entries, too; it must be defined before the first filter.
  [[nodiscard]] CutFlow report(std::string_view weight = {}) const;

  /// Returns the first rows of these columns. Without names, shows the defined columns, or all
  /// columns if none is defined.
  [[nodiscard]] Result<Display> display(std::vector<std::string> columns = {},
                                        std::size_t rows = 10) const;
  /// Describes the dataframe: its files, columns with their types, and filters.
  [[nodiscard]] std::string describe() const;
  /// Returns the labels of the filters up to here, in order.
  [[nodiscard]] std::vector<std::string> filters() const;
  [[nodiscard]] const std::vector<Sample>& samples() const {
    return detail::beginningOf(*m_node).dataset->samples();
  }
  /// The files that were left out so far. A file without a column that a result needs is left out
  /// when this result is computed.
  [[nodiscard]] std::vector<BadFile> badFiles() const;

  /// Writes the entries to a file, in order. `names` selects collections and other contents of the
  /// dataset's files, which are copied unchanged, and columns; by default, all are written. Returns
  /// the dataframe of the new file. If this result is never read, kaon writes no file and warns.
  [[nodiscard]] Result<Dataframe> snapshot(std::string path,
                                           const std::vector<std::string>& names = {},
                                           SnapshotOptions options = {}) const;

  /// Returns the dataset's name: "a.kaon:events", or "a.kaon:events and 2 more files".
  [[nodiscard]] std::string name() const { return detail::beginningOf(*m_node).dataset->name(); }
  /// Returns the names of all columns; defined columns come first.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// Returns the names of the contents of the dataset's files: collections, parameters, values.
  [[nodiscard]] std::vector<std::string> contents() const;
  /// Returns the type of a column or an expression.
  [[nodiscard]] detail::ColumnType typeOf(std::string_view column) const {
    return optionalArgument(column).value.type;
  }

  // For functions of other languages, and for other layers.

  /// Returns a column or an expression whose values may be missing. Its values are packed and keep
  /// their type.
  [[nodiscard]] detail::OptionalArgument optionalArgument(std::string_view column) const;
  /// Returns the columns or expressions of a formula. Their values are packed and keep their types.
  /// Throws Error(type) if values may be missing.
  [[nodiscard]] std::vector<detail::ColumnArgument>
  arguments(std::span<const std::string> columns) const;
  /// These are the functions above for a formula of columns that arguments() returned.
  [[nodiscard]] Dataframe filter(detail::Formula formula, std::string label = {}) const;
  [[nodiscard]] Dataframe define(std::string name, detail::Formula formula) const;
  [[nodiscard]] Dataframe redefine(std::string name, detail::Formula formula) const;
  [[nodiscard]] Dataframe vary(std::string column, std::string variation,
                               detail::Formula formula) const;
  /// Returns the last step.
  [[nodiscard]] const std::shared_ptr<const detail::DataframeNode>& node() const noexcept {
    return m_node;
  }

private:
  explicit Dataframe(std::shared_ptr<const detail::DataframeNode> node) : m_node(std::move(node)) {}
  [[nodiscard]] Dataframe with(detail::DataframeNode node) const;
  [[nodiscard]] detail::Formula condition(std::string_view expression) const;
  [[nodiscard]] Dataframe defined(std::string name, const expression::Expression& expression) const;
  [[nodiscard]] Dataframe defined(std::string name, detail::Formula formula) const;
  void checkNew(std::string_view name, std::string_view meaning = {}) const;
  [[nodiscard]] std::string known(std::string_view name) const;
  [[nodiscard]] Dataframe withOptional(detail::DataframeNode step, detail::Formula value,
                                       std::vector<detail::Formula> presences) const;
  [[nodiscard]] Dataframe varied(const std::string& column, const std::string& variation,
                                 const expression::Expression& expression) const;
  void checkVariation(const std::string& column, std::string_view variation,
                      detail::ColumnType type) const;
  [[nodiscard]] CutFlow::Entries counted(std::string_view weight) const;
  template <class Bins>
  [[nodiscard]] Result<Bins> fill(const std::vector<Axis>& axes, std::vector<std::string> columns,
                                  std::string_view weight) const;

  template <class State>
  [[nodiscard]] auto gather(State empty, std::string_view column) const;
  template <class State>
  [[nodiscard]] auto book(State empty, std::vector<detail::ColumnArgument> arguments) const {
    auto action = std::make_shared<detail::StateAction<State>>(std::move(empty));
    action->node = m_node;
    action->arguments = std::move(arguments);
    detail::bookAction(action);
    return Result<decltype(std::declval<State&&>().result())>(std::move(action));
  }
  template <class State, class Add, class Merge, class First, class... T>
  [[nodiscard]] Result<State> aggregateOf(State initial, Add add, Merge merge,
                                          const std::vector<std::string>& columns,
                                          std::type_identity<std::tuple<First, T...>>) const {
    constexpr std::array<detail::ColumnType, sizeof...(T)> as = {detail::typeTaken<T>()...};
    if (columns.size() != as.size())
      detail::failNames(as.size(), "column", columns.size());
    std::vector<detail::ColumnArgument> arguments = detail::argumentsNamed(m_node, columns, as);
    if constexpr ((detail::isSpan<T> || ...)) {
      static_assert((detail::isSpan<T> && ...), "a function of a batch takes spans only");
      (void)detail::listsAbove(arguments, columns, as);
      detail::pack(arguments);
    } else {
      detail::checkDepths(arguments, columns, as);
    }
    return book(detail::Aggregated<State, Add, Merge, T...>{std::move(initial), std::move(add),
                                                            std::move(merge)},
                std::move(arguments));
  }

  std::shared_ptr<const detail::DataframeNode> m_node;
};

/// Returns the dataframe of a category in one or several files. Paths may be patterns. See Dataset.
[[nodiscard]] Dataframe dataset(const std::vector<std::string>& paths, std::string category,
                                OpenOptions options = {}, OnBadFile onBadFile = OnBadFile::raise,
                                MissingColumns missing = MissingColumns::areErrors);
[[nodiscard]] Dataframe dataset(std::string path, std::string category, OpenOptions options = {},
                                OnBadFile onBadFile = OnBadFile::raise,
                                MissingColumns missing = MissingColumns::areErrors);
/// Makes two names in braces two paths; else they would be the iterators of one string.
[[nodiscard]] inline Dataframe dataset(std::initializer_list<const char*> paths,
                                       std::string category, OpenOptions options = {},
                                       OnBadFile onBadFile = OnBadFile::raise,
                                       MissingColumns missing = MissingColumns::areErrors) {
  return dataset(std::vector<std::string>(paths.begin(), paths.end()), std::move(category), options,
                 onBadFile, missing);
}
/// Returns the dataframe of several samples with labels and weights.
[[nodiscard]] Dataframe dataset(std::vector<Sample> samples, std::string category,
                                OpenOptions options = {}, OnBadFile onBadFile = OnBadFile::raise,
                                MissingColumns missing = MissingColumns::areErrors);

} // namespace kaon
