#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/detail/array/Arena.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/base/Signature.h>
#include <kaon/detail/dataset/ColumnBuffer.h>
#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/dataset/EntryLoop.h>
#include <kaon/detail/reading/EntryValue.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// C++ functions as computations. The parameters of a function decide how it is called. By default,
// it is called for each entry with the entry's values. A function of single numbers whose columns
// have lists is called for each object. A function of std::span<const number> is called once for
// each batch, with all entries or objects. Each form is one loop over a batch, into which the
// compiler inlines the function.

namespace kaon::detail {

/// Throws Error(usage): a function takes `taken` arguments, but the caller names `named` columns.
/// `noun` is the word for an argument.
[[noreturn]] void failNames(std::size_t taken, std::string_view noun, std::size_t named);
/// Throws EntryFailure: a function of a batch returned `values` values instead of `size`.
[[noreturn]] void failValues(std::size_t values, std::size_t size);

template <class>
inline constexpr bool isSpan = false;
template <class T>
inline constexpr bool isSpan<std::span<const T>> = true;

template <class T>
struct SpanValue;
template <class T>
struct SpanValue<std::span<const T>> {
  using type = T;
};

/// The contiguous values of all entries, or all objects, of a batch.
template <class T>
struct BatchValues {
  [[nodiscard]] std::span<const T> of(const ColumnValues& column) { return column.as<T>(); }
};
template <>
struct BatchValues<std::string_view> {
  [[nodiscard]] std::span<const std::string_view> of(const ColumnValues& column) {
    EntryValue<std::string_view> text;
    const auto inner =
        std::ranges::find_if(column.offsets, [](auto lists) { return lists.empty(); });
    const std::span<const std::uint32_t> offsets = *std::prev(inner);
    text.values = detail::valuesAt<char>(column.values);
    text.offsets = offsets.data();
    texts.clear();
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      texts.push_back(text[i]);
    return texts;
  }
  std::vector<std::string_view> texts;
};

template <class T>
concept IsText = std::convertible_to<const T&, std::string_view>;
template <class R>
concept IsList = std::ranges::range<R> && !IsText<R>;

/// The results of a function for each entry: numbers, texts, or ranges of either.
template <class R>
class Output {
public:
  static_assert(std::is_arithmetic_v<R>,
                "a column's entries are numbers, texts, or ranges of numbers or texts");
  static constexpr ColumnType type = {scalarOf<R>(), 0};
  void begin(std::size_t entries) {
    m_values = detail::valuesAt<R>(m_buffer.assign(entries * sizeof(R)).data());
    m_size = entries;
  }
  void set(std::size_t entry, R value) noexcept { m_values[entry] = value; }
  [[nodiscard]] ColumnValues column() const { return {.values = m_buffer.data(), .size = m_size}; }

private:
  Buffer m_buffer;
  R* m_values = nullptr;
  std::size_t m_size = 0;
};

/// Contiguous values in lists, with the offsets of the lists.
template <class T>
class ListOutput {
public:
  void begin(std::size_t lists) {
    m_buffer.clear();
    m_offsets.resize(lists + 1);
    m_offsets[0] = 0;
  }
  /// Sets the values of a list. Lists must be set in order, each once.
  void set(std::size_t list, const auto& values) {
    const auto size = static_cast<std::size_t>(std::ranges::distance(values));
    auto* out = detail::valuesAt<T>(m_buffer.grow(size * sizeof(T)));
    for (const T value : values)
      *out++ = value;
    if (m_buffer.size() / sizeof(T) > std::numeric_limits<std::uint32_t>::max())
      fail(ErrorKind::memory, "a batch has more than 2^32 values of a column");
    m_offsets[list + 1] = static_cast<std::uint32_t>(m_buffer.size() / sizeof(T));
  }
  [[nodiscard]] ColumnValues column() const {
    ColumnValues column = {.values = m_buffer.data(), .size = m_buffer.size() / sizeof(T)};
    column.offsets[0] = m_offsets;
    return column;
  }

private:
  Buffer m_buffer;
  std::vector<std::uint32_t> m_offsets;
};

template <IsList R>
class Output<R> : public ListOutput<std::remove_cvref_t<std::ranges::range_reference_t<const R>>> {
public:
  using T = std::remove_cvref_t<std::ranges::range_reference_t<const R>>;
  static_assert(std::is_arithmetic_v<T>,
                "a column's entries are numbers, texts, or ranges of numbers or texts");
  static constexpr ColumnType type = {scalarOf<T>(), 1};
};

template <IsText R>
class Output<R> : public ListOutput<char> {
public:
  static constexpr ColumnType type = EntryValue<std::string_view>::type;
  void set(std::size_t entry, const R& text) {
    ListOutput<char>::set(entry, std::string_view(text));
  }
};

template <IsList R>
  requires IsText<std::ranges::range_reference_t<const R>>
class Output<R> {
public:
  static constexpr ColumnType type = EntryValue<Array<std::string_view>>::type;
  void begin(std::size_t entries) {
    m_characters.clear();
    m_texts.assign(1, 0);
    m_lists.resize(entries + 1);
    m_lists[0] = 0;
  }
  void set(std::size_t entry, const R& texts) {
    for (const std::string_view text : texts) {
      std::ranges::copy(text, detail::valuesAt<char>(m_characters.grow(text.size())));
      if (m_characters.size() > std::numeric_limits<std::uint32_t>::max())
        fail(ErrorKind::memory, "a batch has more than 2^32 characters of a column");
      m_texts.push_back(static_cast<std::uint32_t>(m_characters.size()));
    }
    m_lists[entry + 1] = static_cast<std::uint32_t>(m_texts.size() - 1);
  }
  [[nodiscard]] ColumnValues column() const {
    ColumnValues column = {.values = m_characters.data(), .size = m_characters.size()};
    column.offsets[0] = m_lists;
    column.offsets[1] = m_texts;
    return column;
  }

private:
  Buffer m_characters;
  std::vector<std::uint32_t> m_texts;
  std::vector<std::uint32_t> m_lists;
};

/// Removes the outermost level of lists from a column, or adds it.
[[nodiscard]] inline ColumnValues valuesOf(const ColumnValues& lists) {
  ColumnValues values = lists;
  std::ranges::copy(std::span(lists.offsets).subspan(1), values.offsets.begin());
  values.offsets.back() = {};
  return values;
}
[[nodiscard]] inline ColumnValues inLists(const ColumnValues& values,
                                          std::span<const std::uint32_t> offsets) {
  ColumnValues lists = values;
  std::ranges::copy(std::span(values.offsets).first(mostListLevels - 1), lists.offsets.begin() + 1);
  lists.offsets[0] = offsets;
  return lists;
}

/// Calls a function for each entry.
template <class F, class R, class... A>
class EntryEvaluator final : public Evaluator {
public:
  explicit EntryEvaluator(const F& function) : m_function(&function) {}

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> arguments) override {
    m_output.begin(entries.count);
    forEachEntry<A...>(entries.count, arguments, [this](std::size_t entry, const auto&... values) {
      m_output.set(entry, (*m_function)(values...));
    });
    return m_output.column();
  }

private:
  const F* m_function;
  Output<R> m_output;
};

/// Returns the first column with lists; the formula's result has the same lists. Null: no column
/// has lists.
[[nodiscard]] inline const ColumnValues* firstWithLists(std::span<const ArgumentValues> arguments,
                                                        std::span<const unsigned> depths) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (depths[i] > 0)
      return &arguments[i].column;
  return nullptr;
}

/// Checks that combined lists of objects have the same lengths. Columns of one collection share
/// their offsets.
void checkSameLists(const ColumnValues& a, const ColumnValues& b);

/// Calls a function of numbers and texts for each object.
template <class F, class R, class... A>
class ObjectEvaluator final : public Evaluator {
public:
  ObjectEvaluator(const F& function, std::array<unsigned, sizeof...(A)> depths)
      : m_function(&function), m_depths(depths) {}

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> arguments) override {
    const ColumnValues& lists = *firstWithLists(arguments, m_depths);
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      if (m_depths[i] > 0)
        checkSameLists(lists, arguments[i].column);
    m_output.begin(lists.offsets[0].back());
    evaluate(entries.count, lists, arguments, std::index_sequence_for<A...>());
    return inLists(m_output.column(), lists.offsets[0]);
  }

private:
  template <std::size_t... I>
  void evaluate(std::size_t entries, const ColumnValues& lists,
                std::span<const ArgumentValues> arguments, std::index_sequence<I...>) {
    (std::get<I>(m_arguments)
         .view(m_depths[I] > 0 ? valuesOf(arguments[I].column) : arguments[I].column),
     ...);
    const std::uint32_t* const offsets = lists.offsets[0].data();
    inPieces(entries, [&](std::size_t entry, std::size_t last) {
      std::size_t object = offsets[entry];
      try {
        if (((m_depths[I] > 0) && ...)) {
          for (const std::size_t end = offsets[last]; object < end; ++object)
            m_output.set(object, (*m_function)(std::get<I>(m_arguments)[object]...));
          return;
        }
        for (; entry < last; ++entry)
          for (; object < offsets[entry + 1]; ++object)
            m_output.set(object, (*m_function)(std::get<I>(
                                     m_arguments)[m_depths[I] > 0 ? object : entry]...));
      } catch (...) {
        while (offsets[entry + 1] <= object)
          ++entry;
        throw EntryFailure{entry, std::current_exception()};
      }
    });
  }

  const F* m_function;
  std::array<unsigned, sizeof...(A)> m_depths;
  std::tuple<EntryValue<A>...> m_arguments;
  Output<R> m_output;
};

/// Calls a function of spans once for each batch. The function must return as many values as the
/// spans have.
template <class F, class R, class... A>
class BatchEvaluator final : public Evaluator {
public:
  BatchEvaluator(const F& function, std::array<unsigned, sizeof...(A)> depths)
      : m_function(&function), m_depths(depths) {}

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> arguments) override {
    const ColumnValues* const lists = firstWithLists(arguments, m_depths);
    const std::size_t size = lists ? lists->offsets[0].back() : entries.count;
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      if (lists)
        checkSameLists(*lists, arguments[i].column);
    evaluate(arguments, std::index_sequence_for<A...>());
    const ColumnValues all = m_output.column();
    if (all.offsets[0].back() != size)
      failValues(all.offsets[0].back(), size);
    return lists ? inLists(valuesOf(all), lists->offsets[0]) : valuesOf(all);
  }

private:
  template <std::size_t... I>
  void evaluate(std::span<const ArgumentValues> arguments, std::index_sequence<I...>) try {
    const ArenaScope arena;
    m_output.set(0, (*m_function)(std::get<I>(m_arguments).of(arguments[I].column)...));
  } catch (...) {
    throw EntryFailure{0, std::current_exception()};
  }

  struct Values : Output<R> {
    void set(std::size_t, const R& values) {
      this->begin(1);
      Output<R>::set(0, values);
    }
  };
  const F* m_function;
  std::array<unsigned, sizeof...(A)> m_depths;
  std::tuple<BatchValues<typename SpanValue<A>::type>...> m_arguments;
  Values m_output;
};

/// A function that all threads call, with the function that makes an evaluator for each thread.
template <class F, class Make>
class CallableFunction final : public Function {
public:
  CallableFunction(F function, Make make)
      : m_function(std::move(function)), m_make(std::move(make)) {}
  [[nodiscard]] std::unique_ptr<Evaluator> evaluator() const override { return m_make(m_function); }

private:
  F m_function;
  Make m_make;
};

/// Returns the arguments for these columns or expressions. `as` has the types of the function's
/// parameters. Values of other types are converted if no value can change, else throws Error(type).
[[nodiscard]] std::vector<ColumnArgument>
argumentsNamed(const std::shared_ptr<const DataframeNode>& node, std::span<const std::string> names,
               std::span<const ColumnType> as);
/// Requests packed values for all arguments.
void pack(std::vector<ColumnArgument>& arguments);
/// Returns how many more levels of lists each argument has than the function's parameter. All are 0
/// if the function is called for each entry; else each is 0 or 1. Throws Error(type) for other
/// differences.
[[nodiscard]] std::vector<unsigned> listsAbove(std::span<const ColumnArgument> arguments,
                                               std::span<const std::string> names,
                                               std::span<const ColumnType> as);

/// Throws Error(type) if a column has more or fewer levels of lists than the function's parameter.
void checkDepths(std::span<const ColumnArgument> arguments, std::span<const std::string> names,
                 std::span<const ColumnType> as);

template <class T>
[[nodiscard]] constexpr ColumnType typeTaken() {
  if constexpr (isSpan<T>)
    return EntryValue<typename SpanValue<T>::type>::type;
  else
    return EntryValue<T>::type;
}

template <class F, class R, class... A>
Formula formulaOf(F function, const std::shared_ptr<const DataframeNode>& node,
                  std::span<const std::string> names, std::type_identity<std::tuple<A...>>) {
  constexpr std::size_t size = sizeof...(A);
  constexpr std::array<ColumnType, size> as = {typeTaken<A>()...};
  Formula formula;
  formula.arguments = argumentsNamed(node, names, as);
  std::array<unsigned, size> depths{};
  std::ranges::copy(listsAbove(formula.arguments, names, as), depths.begin());
  formula.type = Output<R>::type;
  const auto keep = [&](auto make) {
    formula.function =
        std::make_shared<CallableFunction<F, decltype(make)>>(std::move(function), make);
  };
  constexpr bool isOfBatch = (isSpan<A> || ...);
  if constexpr (isOfBatch) {
    static_assert((isSpan<A> && ...) && Output<R>::type.lists() == 1,
                  "a function of a batch must take spans and return a range of numbers or texts");
    if (std::ranges::count(depths, depths[0]) != static_cast<std::ptrdiff_t>(size))
      fail(ErrorKind::type, "the columns of a function of a batch must all have one number for "
                            "each entry, or all have one for each object");
    pack(formula.arguments);
    formula.type.depth += depths[0] - 1;
    keep([depths](const F& f) { return std::make_unique<BatchEvaluator<F, R, A...>>(f, depths); });
  } else {
    if (std::ranges::count(depths, 0U) == static_cast<std::ptrdiff_t>(size)) {
      keep([](const F& f) { return std::make_unique<EntryEvaluator<F, R, A...>>(f); });
      return formula;
    }
    if constexpr (Output<R>::type.lists() == 0 && ((EntryValue<A>::type.lists() == 0) && ...)) {
      pack(formula.arguments);
      ++formula.type.depth;
      keep([depths](const F& f) {
        return std::make_unique<ObjectEvaluator<F, R, A...>>(f, depths);
      });
    } else {
      fail(ErrorKind::type, "a function that is called for each object of '", names.front(),
           "' must take and return single numbers or texts");
    }
  }
  return formula;
}

/// Returns the formula of a C++ function of columns or expressions, with the names known at a node.
/// Throws Error(usage) if the number of arguments differs, Error(name), Error(type).
template <class F>
[[nodiscard]] Formula formulaOf(F function, const std::shared_ptr<const DataframeNode>& node,
                                std::span<const std::string> names) {
  using Arguments = typename SignatureOf<F>::Values;
  using Result = std::remove_cvref_t<typename SignatureOf<F>::Result>;
  if (names.size() != std::tuple_size_v<Arguments>)
    detail::failNames(std::tuple_size_v<Arguments>, "argument", names.size());
  return detail::formulaOf<F, Result>(std::move(function), node, names,
                                      std::type_identity<Arguments>());
}

} // namespace kaon::detail
