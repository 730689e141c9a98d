#pragma once

#include <kaon/dataset/CutFlow.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/Display.h>
#include <kaon/dataset/Histogram.h>
#include <kaon/dataset/Result.h>
#include <kaon/dataset/SnapshotOptions.h>
#include <kaon/detail/dataset/ColumnArray.h>
#include <kaon/detail/dataset/EntryFunction.h>
#include <kaon/detail/dataset/Fallback.h>
#include <kaon/detail/dataset/Gathering.h>

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

namespace expression {
class Expression;
} // namespace expression

/// Columns of a dataset, those of its files and those that are defined, and a choice of its
/// entries. Nothing is read before a result is looked at; then all that was asked for is computed
/// in one pass, batch by batch, by all threads of the caller's arena, with the same results
/// whatever their number. A dataframe does not change: each function gives a further one.
///
///   auto events = kaon::dataset({"run7/*.kaon"}, "events");
///   auto pairs = events.filter([](Array<float> pt) { return pt.size() == 2; }, {"Muon.pt"});
///   auto mass = pairs.define("mass", dimuonMass, {"Muon.pt", "Muon.eta", "Muon.phi"})
///                    .histogram({100, 0, 200}, "mass");
///
/// Functions get what their columns have for an entry: numbers, kaon::Array<number> or
/// kaon::Array<kaon::Array<number>>; std::string_view, kaon::Array<std::string_view>. Where they
/// take single numbers or texts and columns have lists, they are called for each object, what is of
/// the entry going with each; where they take std::span<const number> or of std::string_view, for
/// each batch. They give numbers, texts, or ranges of either. Several threads call them at the same
/// time. What they throw is an Error that says in which entry.
///
/// Column names are those of columnPlace(): "Muon.pt", "#Muon"; and "dataset.entry",
/// "dataset.sample" and "dataset.weight", see Origin.h. What takes columns takes expressions, too:
/// take("Muon.matched.pt"), histogram(axis, "max(Muon.pt)"). Throw Error(name) with a suggestion,
/// and Error(type), when they are called.
class Dataframe {
public:
  explicit Dataframe(std::shared_ptr<const Dataset> dataset);
  // To move it is to copy it: so there is none of nothing.
  Dataframe(const Dataframe&) = default;
  Dataframe& operator=(const Dataframe&) = default;

  /// Entries for which a function is true.
  template <class F>
  [[nodiscard]] Dataframe filter(F function, const std::vector<std::string>& columns,
                                 std::string label = {}) const {
    return filter(detail::formulaOf(std::move(function), m_node, columns), std::move(label));
  }
  /// Entries for which an expression is true, see docs/expressions.md: "count(Muon[Muon.pt > 20])
  /// >= 2".
  [[nodiscard]] Dataframe filter(std::string_view expression, std::string label = {}) const;
  /// With a further column.
  template <class F>
  [[nodiscard]] Dataframe define(std::string name, F function,
                                 const std::vector<std::string>& columns) const {
    return define(std::move(name), detail::formulaOf(std::move(function), m_node, columns));
  }
  /// With what an expression is: a column, or objects, such as "Muon[Muon.pt > 20]", which have a
  /// name in other expressions after that.
  [[nodiscard]] Dataframe define(std::string name, std::string_view expression) const;
  /// With another column in place of one.
  template <class F>
  [[nodiscard]] Dataframe redefine(std::string name, F function,
                                   const std::vector<std::string>& columns) const {
    return redefine(std::move(name), detail::formulaOf(std::move(function), m_node, columns));
  }
  [[nodiscard]] Dataframe redefine(std::string name, std::string_view expression) const;
  /// With a column that some of the dataset's files lack, such as a trigger's: in their entries it
  /// is this number. It has the type that it has in the first file, or else that of the number,
  /// which it may have to be converted to; Error(type) where values could change. Warns if no file
  /// has it. For single numbers.
  [[nodiscard]] Dataframe fallback(std::string column, Number value) const;
  /// With a further name of a column.
  [[nodiscard]] Dataframe alias(std::string name, std::string column) const;
  /// Says what a column is in a variation; in all others it is as it was. Results have the nominal
  /// value, variations() those of all variations. Of the same name for several columns they are one
  /// variation.
  template <class F>
  [[nodiscard]] Dataframe vary(std::string column, std::string variation, F function,
                               const std::vector<std::string>& columns) const {
    return vary(std::move(column), std::move(variation),
                detail::formulaOf(std::move(function), m_node, columns));
  }
  [[nodiscard]] Dataframe vary(std::string column, std::string variation,
                               std::string_view expression) const;

  /// Entries by their numbers in the dataset, wherever this stands: from `first` up to `last`.
  [[nodiscard]] Dataframe range(std::uint64_t first, std::uint64_t last) const;
  /// Entries of a sample. Throws Error(name) with a suggestion.
  [[nodiscard]] Dataframe sample(std::string_view label) const;

  /// Each object of a collection is an entry: "Muon.pt" is a number, what else the event has goes
  /// with each of its muons. Columns of names with this part before a dot have lists of the same
  /// lengths; Error(usage) if one has not, when that is noticed.
  [[nodiscard]] Dataframe explode(std::string collection) const;
  /// What was an entry before the last explode() is one again: what there is of its objects, less
  /// those that were filtered out, are lists. Throws Error(usage) where nothing was exploded.
  [[nodiscard]] Dataframe implode() const;

  /// How many entries there are.
  [[nodiscard]] Result<std::uint64_t> count() const;
  // Of all values of a column, those in lists, too.

  /// Of floats as double. Of integers exact: an int64, of unsigned columns a uint64; of bools an
  /// int64, how many are true. Throws Error(type) when it is looked at, if it is beyond that.
  [[nodiscard]] Result<Number> sum(std::string_view column) const;
  /// Nothing where there is no value. Numbers as those of sum().
  [[nodiscard]] Result<std::optional<Number>> min(std::string_view column) const;
  [[nodiscard]] Result<std::optional<Number>> max(std::string_view column) const;
  /// Of integers it is that of their exact sum.
  [[nodiscard]] Result<std::optional<double>> mean(std::string_view column) const;
  [[nodiscard]] Result<Statistics> stats(std::string_view column) const;
  /// The values of all entries in order: a vector of T, or of vectors where T is an array; of texts
  /// it is one of std::string.
  template <class T>
  [[nodiscard]] auto take(const std::string& column) const {
    using Value = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;
    const detail::ColumnType type = detail::EntryValue<Value>::type;
    std::vector<detail::Argument> arguments =
        detail::argumentsNamed(m_node, std::span(&column, 1), std::span(&type, 1));
    detail::checkDepths(arguments, std::span(&column, 1), std::span(&type, 1));
    return book(detail::Taken<Value>(), std::move(arguments));
  }
  /// Returns a column as one array whose type is known only at run time.
  [[nodiscard]] Result<detail::ColumnArray> take(std::string_view column) const;
  /// What a function of two values makes of all values of a column, in lists, too: in whatever
  /// order they go together, as sums and products do. Nothing where there is no value.
  template <class F>
  [[nodiscard]] auto reduce(F function, const std::string& column) const {
    using T = std::tuple_element_t<0, typename detail::SignatureOf<F>::Arguments>;
    static_assert(std::is_arithmetic_v<T>,
                  "reduce() takes functions of two numbers; aggregate() goes through texts, too");
    const detail::ColumnType type = {scalarOf<T>(), 0};
    std::vector<detail::Argument> arguments =
        detail::argumentsNamed(m_node, std::span(&column, 1), std::span(&type, 1));
    detail::pack(arguments);
    return book(detail::Reduced<T, F>{std::move(function)}, std::move(arguments));
  }
  /// `state = add(state, value...)` for all entries of a part of the dataset, beginning with
  /// `initial`, and `state = merge(state, next)` of the parts in order. Functions that give nothing
  /// change the state that they get. Where `add` takes std::span<const number>, it is called for
  /// each batch, with the values of all of its entries, or objects.
  template <class State, class Add, class Merge>
  [[nodiscard]] Result<State> aggregate(State initial, Add add, Merge merge,
                                        const std::vector<std::string>& columns) const {
    return aggregateOf(std::move(initial), std::move(add), std::move(merge), columns,
                       std::type_identity<typename detail::SignatureOf<Add>::Values>());
  }

  /// How many of the values of a column lie in each bin, those in lists, too; with weights, if they
  /// are named, one a value or one an entry.
  [[nodiscard]] Result<Histogram> histogram(const Axis& axis, std::string_view column,
                                            std::string_view weight = {}) const;
  /// A histogram in several dimensions.
  [[nodiscard]] Result<Histogram> histogram(const std::vector<Axis>& axes,
                                            const std::vector<std::string>& columns,
                                            std::string_view weight = {}) const;

  /// The mean of a column in bins of others, and how it spreads.
  [[nodiscard]] Result<Profile> profile(const Axis& axis, std::string_view column,
                                        std::string_view averaged,
                                        std::string_view weight = {}) const;
  [[nodiscard]] Result<Profile> profile(const std::vector<Axis>& axes,
                                        const std::vector<std::string>& columns,
                                        std::string_view averaged,
                                        std::string_view weight = {}) const;

  /// For each filter up to here, how many entries it was asked about and how many passed; with the
  /// sums of a weight of entries, which is known before the first filter, if it is named.
  [[nodiscard]] CutFlow report(std::string_view weight = {}) const;

  /// The first rows of these columns; of all that were defined if none is named, or else of all.
  [[nodiscard]] Result<Display> display(std::vector<std::string> columns = {},
                                        std::size_t rows = 10) const;
  /// What there is: files, columns with their types, filters.
  [[nodiscard]] std::string describe() const;
  /// What the filters up to here are called, the first first.
  [[nodiscard]] std::vector<std::string> filters() const;
  [[nodiscard]] const std::vector<Sample>& samples() const {
    return detail::beginningOf(*m_node).dataset->samples();
  }

  /// Writes the entries to a file, in their order: collections and whatever else the dataset's
  /// files have, by the names that they have there, as they are; and columns, see SnapshotPlan. All
  /// of them if none is named. Is the dataframe of the new file, which is not written, with a
  /// warning, if nobody looks at that.
  [[nodiscard]] Result<Dataframe> snapshot(std::string path,
                                           const std::vector<std::string>& names = {},
                                           SnapshotOptions options = {}) const;

  /// "a.kaon:events", or "a.kaon:events and 2 more files"
  [[nodiscard]] std::string name() const { return detail::beginningOf(*m_node).dataset->name(); }
  /// The names of all columns, those that were defined first.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// The names of what the dataset's files have for an entry: collections, parameters, values.
  [[nodiscard]] std::vector<std::string> contents() const;
  /// The type of a column, or of an expression.
  [[nodiscard]] detail::ColumnType typeOf(std::string_view column) const {
    return optionalArgument(column).value.type;
  }

  // For functions that are no C++, and for other layers.

  /// A column or an expression whose values may be missing, packed and as it is.
  [[nodiscard]] detail::OptionalArgument optionalArgument(std::string_view column) const;
  /// Columns for a formula, or expressions, packed and as they are. Throws Error(type) for what may
  /// be missing.
  [[nodiscard]] std::vector<detail::Argument> arguments(std::span<const std::string> columns) const;
  /// Versions of the functions above for a formula of columns that arguments() returned.
  [[nodiscard]] Dataframe filter(detail::Formula formula, std::string label = {}) const;
  [[nodiscard]] Dataframe define(std::string name, detail::Formula formula) const;
  [[nodiscard]] Dataframe redefine(std::string name, detail::Formula formula) const;
  [[nodiscard]] Dataframe vary(std::string column, std::string variation,
                               detail::Formula formula) const;
  /// The last step.
  [[nodiscard]] const std::shared_ptr<const detail::Node>& node() const noexcept { return m_node; }

private:
  explicit Dataframe(std::shared_ptr<const detail::Node> node) : m_node(std::move(node)) {}
  [[nodiscard]] Dataframe with(detail::Node node) const;
  [[nodiscard]] detail::Formula condition(std::string_view expression) const;
  [[nodiscard]] Dataframe defined(std::string name, const expression::Expression& expression) const;
  [[nodiscard]] Dataframe defined(std::string name, detail::Formula formula) const;
  void checkNew(std::string_view name, std::string_view meaning = {}) const;
  [[nodiscard]] std::string known(std::string_view name) const;
  [[nodiscard]] Dataframe withOptional(detail::Node step, detail::Formula value,
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
  [[nodiscard]] auto book(State empty, std::vector<detail::Argument> arguments) const {
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
    std::vector<detail::Argument> arguments = detail::argumentsNamed(m_node, columns, as);
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

  std::shared_ptr<const detail::Node> m_node;
};

/// The entries of a category of one file or several; paths may be patterns. See Dataset.
[[nodiscard]] Dataframe dataset(const std::vector<std::string>& paths, std::string category,
                                OpenOptions options = {});
[[nodiscard]] Dataframe dataset(std::string path, std::string category, OpenOptions options = {});
/// Two names in braces are two paths, and not a string between them.
[[nodiscard]] inline Dataframe dataset(std::initializer_list<const char*> paths,
                                       std::string category, OpenOptions options = {}) {
  return dataset(std::vector<std::string>(paths.begin(), paths.end()), std::move(category),
                 options);
}
/// Returns the dataframe of several samples with labels and weights.
[[nodiscard]] Dataframe dataset(std::vector<Sample> samples, std::string category,
                                OpenOptions options = {});

} // namespace kaon
