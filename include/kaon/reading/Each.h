#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/base/Error.h>
#include <kaon/detail/array/Arena.h>
#include <kaon/detail/reading/ColumnBatches.h>
#include <kaon/detail/reading/EntryValue.h>
#include <kaon/detail/reading/RecordColumns.h>
#include <kaon/detail/reading/SourceEntries.h>
#include <kaon/detail/reading/StructArray.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

/// Reads several columns into a struct of the user. Each name is a member below the column that you
/// read. The names have the order of the struct's members.
///
///   struct Vec { float x, y, z; };
///   using Momentum = kaon::Record<Vec, "x", "y", "z">;
///   for (auto [momenta] : events.each<kaon::Array<Momentum>>("MCParticles.momentum"))
///     for (const Vec& p : momenta) ...
///
/// The struct's members are numbers, or std::array for arrays of fixed length.
template <class S, detail::MemberName... names>
struct Record {
  static_assert(std::is_aggregate_v<S> && sizeof...(names) >= 1 && sizeof...(names) <= 16,
                "a record must be an aggregate of 1 to 16 members, and each member needs a name");
};

/// The records of one entry, each made on access. A view.
template <class S, detail::MemberName... names>
class Array<Record<S, names...>> : public detail::ArrayTag {
public:
  using value_type = S;
  using Places = typename detail::ColumnsOf<S, sizeof...(names)>::Places;

  Array() = default;
  /// Views the rows [first, first + size) of the columns.
  Array(const Places& places, std::size_t first, std::size_t size) noexcept
      : m_places(places), m_first(first), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns record `i`. Does not check `i`.
  S operator[](std::size_t i) const noexcept { return detail::recordAt<S>(m_places, m_first + i); }
  /// Returns record `i`. Throws Error(usage) if `i` is out of range.
  [[nodiscard]] S at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return (*this)[i];
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  Places m_places{};
  std::size_t m_first = 0;
  std::size_t m_size = 0;
};

template <class S, detail::MemberName... names>
struct detail::EntryValue<Record<S, names...>> : detail::RecordColumns<S, 0, names...> {
  using Value = S;
  void view(const auto& columns) noexcept { this->viewMembers(columns); }
  S operator[](std::size_t entry) const noexcept {
    return detail::recordAt<S>(this->places, entry);
  }
};

template <class S, detail::MemberName... names>
struct detail::EntryValue<Array<Record<S, names...>>> : detail::RecordColumns<S, 1, names...> {
  using Value = Array<Record<S, names...>>;
  const std::uint32_t* offsets = nullptr;
  void view(const auto& columns) noexcept {
    this->viewMembers(columns);
    offsets = columns(0).offsets[0].data();
  }
  Value operator[](std::size_t entry) const noexcept {
    return {this->places, offsets[entry], offsets[entry + 1] - offsets[entry]};
  }
};

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

  /// Selects columns by name: "Muon.pt", or "#Muon" for the number of objects. Throws Error(name),
  /// and Error(type) if a column has another type. Ignores selected entries beyond the end of the
  /// source. `file`, if given, is kept open.
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
