#pragma once

#include <kaon/array/Array.h>
#include <kaon/detail/array/Arena.h>
#include <kaon/detail/reading/ColumnBatches.h>
#include <kaon/detail/reading/EntryValue.h>
#include <kaon/detail/reading/SourceEntries.h>
#include <kaon/detail/reading/StructArray.h>
#include <kaon/reading/Record.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kaon {

namespace detail {
/// A string_view for each type of a parameter pack.
template <class>
struct NameFor {
  using type = std::string_view;
};

/// Types that consist of several columns.
template <class T>
concept HasMembers = requires { EntryValue<T>::memberNames; };

/// Types whose values may be missing.
template <class T>
concept MayBeMissing = requires { EntryValue<T>::rows; };

/// The type that a loop gets for each entry.
template <class T>
struct LoopValue {
  using Type = T;
};
template <HasMembers T>
struct LoopValue<T> {
  using Type = typename EntryValue<T>::Value;
};

/// Returns the number of columns that T consists of.
template <class T>
[[nodiscard]] consteval std::size_t columnsIn() {
  if constexpr (HasMembers<T>)
    return EntryValue<T>::memberNames.size();
  else
    return 1;
}

/// Adds the columns of a source that T consists of. Throws Error(name) and Error(type), which name
/// the file.
template <class T>
void addPlaces(const Source& source, std::string_view name, std::vector<ColumnLocator>& places) {
  if constexpr (HasMembers<T>)
    addRecordPlaces(source, name, EntryValue<T>::memberNames, EntryValue<T>::types,
                    EntryValue<T>::extents, places);
  else if constexpr (MayBeMissing<T>)
    places.push_back(optionalPlace(source, name, EntryValue<T>::rows, EntryValue<T>::extent));
  else
    places.push_back(columnPlace(source, name, EntryValue<T>::type));
}
} // namespace detail

/// The entries of a category, each as a tuple of values of some columns:
///
///   for (auto [pt, charge] : events.each<Array<float>, Array<std::int32_t>>("Muon.pt",
///   "Muon.charge"))
///
/// Pages are decoded as a whole; the loop itself only accesses arrays. An entry's arrays, and
/// results that are computed from them in the thread's Arena, are valid until the next entry. A
/// single pass, for one thread; each thread makes its own.
template <class... T>
class Each {
public:
  using Values = std::tuple<typename detail::LoopValue<T>::Type...>;
  using Names = std::array<std::string_view, sizeof...(T)>;

  /// Selects columns by name, see columnPlace(). Throws Error(name), and Error(type) if a column
  /// has another type. Ignores selected entries beyond the end of the source. `file`, if given, is
  /// kept open.
  Each(const Source& source, const Names& names, const EntrySelection& entries = {},
       std::shared_ptr<const File> file = nullptr)
      : m_names(names.begin(), names.end()) {
    open({std::move(file), &source, entries});
  }
  /// Reads several sources one after another. Throws errors of the first source here, and errors of
  /// the others when the loop reaches them.
  Each(detail::NextSource next, const Names& names)
      : m_next(std::move(next)), m_names(names.begin(), names.end()) {
    open(*m_next());
  }
  /// Not inline: the calls inside would force the loop's sums from registers into memory.
  [[gnu::noinline]] ~Each() {}
  Each(Each&&) = default;

private:
  /// The columns of the current batch, as the loop reads them.
  struct Entries {
    std::size_t size = 0;
    std::tuple<detail::EntryValue<T>...> columns;
  };

public:
  class Iterator {
  public:
    using value_type = Values;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Each& range) : m_range(&range), m_batch(range.nextEntries()) {}
    Values operator*() const {
      return std::apply([this](const auto&... column) { return Values(column[m_entry]...); },
                        m_batch.columns);
    }
    Iterator& operator++() {
      if constexpr (hasArrays)
        m_range->m_arena.release(m_range->m_mark);
      if (++m_entry == m_batch.size) [[unlikely]] {
        m_entry = 0;
        m_batch = m_range->nextEntries();
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) {
      return i.m_entry == i.m_batch.size;
    }

  private:
    Each* m_range;
    Entries m_batch;
    std::size_t m_entry = 0; // in the batch
  };
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

  /// Calls `use(values...)` for each entry. Compilers can vectorise the inner loop over each batch.
  /// This is the fastest way if entries are single numbers.
  template <class Use>
  void forEach(Use use) {
    for (Entries batch = nextEntries(); batch.size > 0; batch = nextEntries())
      std::apply(
          [&](const auto... column) {
            for (std::size_t entry = 0; entry < batch.size; ++entry) {
              use(column[entry]...);
              if constexpr (hasArrays)
                m_arena.release(m_mark);
            }
          },
          batch.columns);
  }

private:
  static constexpr bool hasArrays = (IsArray<typename detail::LoopValue<T>::Type> || ...);

  [[nodiscard]] Entries nextEntries() {
    Entries batch = readBatch();
    if (m_failure) [[unlikely]]
      rethrow();
    return batch;
  }
  /// Reads the next batch. Not inline, and returned by value, so that the loop's variables stay in
  /// registers. Floating-point registers can be saved only around calls that do not throw. A
  /// failure is therefore kept for later.
  [[nodiscard, gnu::noinline]] Entries readBatch() noexcept {
    Entries batch;
    try {
      if (nextBatch())
        view(batch, std::index_sequence_for<T...>());
    } catch (...) {
      m_failure = std::current_exception();
      batch.size = 0;
    }
    return batch;
  }
  [[noreturn, gnu::noinline]] void rethrow() {
    std::rethrow_exception(std::exchange(m_failure, nullptr));
  }
  bool nextBatch() {
    while (!m_batches->next()) {
      std::optional<detail::SourceEntries> further = m_next ? m_next() : std::nullopt;
      if (!further)
        return false;
      open(*std::move(further));
    }
    return true;
  }
  void open(detail::SourceEntries entries) {
    std::vector<detail::ColumnLocator> places;
    std::size_t i = 0;
    (detail::addPlaces<T>(*entries.source, m_names[i++], places), ...);
    if (entries.numbering)
      for (detail::ColumnLocator& place : places)
        detail::renumber(place, entries.source->schema(), *entries.numbering);
    m_batches.emplace(*entries.source, std::move(places), entries.entries, std::move(entries.file));
  }
  template <std::size_t... I>
  void view(Entries& batch, std::index_sequence<I...>) {
    batch.size = m_batches->entries();
    std::size_t column = 0;
    (viewColumns<T>(std::get<I>(batch.columns), column), ...);
  }
  /// Passes the columns from `column` on to a value, and advances `column` behind them.
  template <class Value>
  void viewColumns(detail::EntryValue<Value>& value, std::size_t& column) {
    if constexpr (detail::HasMembers<Value>)
      value.view([&](std::size_t i) { return m_batches->values(column + i); });
    else
      value.view(m_batches->values(column));
    column += detail::columnsIn<Value>();
  }

  detail::NextSource m_next;
  std::vector<std::string> m_names;
  std::optional<detail::ColumnBatches> m_batches; // of the current source
  std::exception_ptr m_failure;
  detail::Arena& m_arena = detail::Arena::ofThread();
  detail::Arena::Mark m_mark = m_arena.mark();
};

} // namespace kaon
