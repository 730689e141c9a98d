#pragma once

#include <kaon/detail/array/Arena.h>
#include <kaon/detail/dataset/ChunkLength.h>
#include <kaon/detail/dataset/Formula.h>
#include <kaon/detail/reading/EntryValue.h>

#include <cstddef>
#include <exception>
#include <span>
#include <tuple>
#include <utility>

namespace kaon::detail {

/// Implements forEachEntry() for lists. `use` is called in one place only, in one loop, so that the
/// compiler inlines it even if it is long.
template <class... T, class Use, std::size_t... I>
void forEachEntryOfLists(std::size_t entries, std::span<const ArgumentValues> arguments, Use& use,
                         std::index_sequence<I...>) {
  std::tuple<EntryValue<T>...> columns;
  (std::get<I>(columns).view(arguments[I].column), ...);
  const auto useOneOf = [&](std::size_t entry, const auto&... which) {
    use(entry, std::get<I>(columns)[which ? which[entry] : entry]...);
  };
  std::size_t entry = 0;
  bool isCalling = true; // false while the loop checks whether the pass has ended
  try {
    ArenaScope arena;
    ChunkLength length;
    for (std::size_t last = length.entries(); entry < entries; ++entry) {
      if (entry == last) [[unlikely]] {
        isCalling = false;
        length.next();
        isCalling = true;
        last += length.entries();
      }
      useOneOf(entry, arguments[I].entries...);
      arena.release();
    }
  } catch (...) {
    if (!isCalling)
      throw;
    throw EntryFailure{entry, std::current_exception()};
  }
}

/// Implements forEachEntry() for single numbers.
template <class... T, class Use, std::size_t... I>
void forEachEntryOfNumbers(std::size_t entries, std::span<const ArgumentValues> arguments, Use& use,
                           std::index_sequence<I...>) {
  std::tuple<EntryValue<T>...> columns;
  (std::get<I>(columns).view(arguments[I].column), ...);
  const auto useOneOf = [&](std::size_t entry, const auto&... which) {
    use(entry, std::get<I>(columns)[which ? which[entry] : entry]...);
  };
  inPieces(entries, [&](std::size_t entry, std::size_t last) {
    try {
      if ((!arguments[I].entries && ...)) {
        for (; entry < last; ++entry) // Compilers can vectorise this loop.
          use(entry, std::get<I>(columns)[entry]...);
      } else {
        for (; entry < last; ++entry)
          useOneOf(entry, arguments[I].entries...);
      }
    } catch (...) {
      throw EntryFailure{entry, std::current_exception()};
    }
  });
}

/// Calls `use(entry, value...)` for each entry, with the values of the columns. Frees the memory of
/// the thread's Arena after each call. Throws EntryFailure with the exception of `use`, and the
/// errors of ThreadProgress::update().
template <class... T, class Use>
void forEachEntry(std::size_t entries, std::span<const ArgumentValues> arguments, Use use) {
  if constexpr (((EntryValue<T>::type.depth > 0) || ...))
    forEachEntryOfLists<T...>(entries, arguments, use, std::index_sequence_for<T...>());
  else
    forEachEntryOfNumbers<T...>(entries, arguments, use, std::index_sequence_for<T...>());
}

} // namespace kaon::detail
