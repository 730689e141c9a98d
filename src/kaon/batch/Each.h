#pragma once

#include <kaon/array/Arena.h>
#include <kaon/batch/ColumnBatches.h>
#include <kaon/batch/EntryValue.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kaon {

namespace detail {
/// One name for each type.
template <class>
struct NameFor {
  using type = std::string_view;
};
} // namespace detail

/// The entries of a category, each as a tuple of what a few columns have for it:
///
///   for (auto [pt, charge] : events.each<Array<float>, Array<std::int32_t>>("Muon.pt",
///   "Muon.charge"))
///
/// Whole pages are decoded; in the loop there is nothing but array access. What an entry's arrays
/// point to, and what is computed of them in the thread's Arena, lasts until the next one. A single
/// pass, for one thread: each thread makes its own.
template <class... T>
class Each {
public:
  using Values = std::tuple<T...>;
  using Names = std::array<std::string_view, sizeof...(T)>;

  /// Columns by columnPlace(). Throws Error(name), and Error(type) where a column has something
  /// else. The range is cut to what there is. `file`, if given, is kept open.
  Each(const Source& source, const Names& names, EntryRange range = {},
       std::shared_ptr<const File> file = nullptr)
      : m_batches(source, places(source.schema(), names), range, std::move(file)) {}

private:
  /// What the loop looks at in a batch.
  struct Entries {
    std::size_t size = 0;
    std::tuple<EntryValue<T>...> columns;
  };

public:
  class Iterator {
  public:
    using value_type = Values;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Each& range) : m_range(&range), m_batch(range.readBatch()) {}
    Values operator*() const {
      return std::apply([this](const auto&... column) { return Values(column[m_entry]...); },
                        m_batch.columns);
    }
    Iterator& operator++() {
      if constexpr (hasArrays)
        m_range->m_arena.release(m_range->m_mark);
      if (++m_entry == m_batch.size) [[unlikely]] {
        m_entry = 0;
        m_batch = m_range->readBatch();
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

  /// Calls `use(values...)` for each entry. The loop over a batch is one of its own in the caller's
  /// code, which compilers can vectorise: the fastest way where entries are single numbers.
  template <class Use>
  void forEach(Use use) {
    for (Entries batch = readBatch(); batch.size > 0; batch = readBatch())
      loop(batch, use);
  }

private:
  static constexpr bool hasArrays = ((EntryValue<T>::type.depth > 0) || ...);

  /// Not inline, and by value: so all that the loop needs stays in registers.
  [[nodiscard, gnu::noinline]] Entries readBatch() {
    Entries batch;
    if (m_batches.next())
      view(batch, std::index_sequence_for<T...>());
    return batch;
  }
  template <std::size_t... I>
  void view(Entries& batch, std::index_sequence<I...>) {
    batch.size = m_batches.entries();
    (std::get<I>(batch.columns).view(m_batches.values(I)), ...);
  }
  /// A function of its own: what the loop adds up is in registers, as there is no call in it.
  template <class Use>
  [[gnu::noinline]] void loop(Entries batch, Use& use) {
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
  [[nodiscard]] static std::vector<ColumnPlace> places(const Schema& schema, const Names& names) {
    std::vector<ColumnPlace> places;
    const auto add = [&]<class Value>(std::string_view name) {
      places.push_back(columnPlace(schema, name));
      checkEntryType<Value>(places.back().type, name);
    };
    std::size_t i = 0;
    (add.template operator()<T>(names[i++]), ...);
    return places;
  }

  ColumnBatches m_batches;
  Arena& m_arena = Arena::ofThread();
  Arena::Mark m_mark = m_arena.mark();
};

} // namespace kaon
