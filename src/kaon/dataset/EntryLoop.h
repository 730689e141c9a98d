#pragma once

#include <kaon/array/Arena.h>
#include <kaon/batch/EntryValue.h>
#include <kaon/dataset/Formula.h>
#include <kaon/dataset/Pulse.h>

#include <cstddef>
#include <exception>
#include <span>
#include <tuple>
#include <utility>

namespace kaon::detail {

template <class... T, class Use, std::size_t... I>
void forEachEntry(std::size_t entries, std::span<const ArgumentValues> arguments, Use& use,
                  std::index_sequence<I...>) {
  std::tuple<EntryValue<T>...> columns;
  (std::get<I>(columns).view(arguments[I].column), ...);
  const auto useOneOf = [&](std::size_t entry, const auto&... which) {
    use(entry, std::get<I>(columns)[which ? which[entry] : entry]...);
  };
  std::size_t entry = 0;
  bool isCalling = true; // and not looking if the pass has ended
  try {
    if constexpr (((EntryValue<T>::type.depth > 0) || ...)) {
      // Called in one place only, in one loop, so that it becomes part of that however long it is.
      ArenaScope arena;
      PieceLength length;
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
      return;
    }
  } catch (...) {
    if (!isCalling)
      throw;
    throw EntryFailure{entry, std::current_exception()};
  }
  inPieces(entries, [&](std::size_t next, std::size_t last) {
    try {
      if ((!arguments[I].entries && ...)) {
        for (; next < last; ++next) // which compilers can vectorise
          use(next, std::get<I>(columns)[next]...);
      } else {
        for (; next < last; ++next)
          useOneOf(next, arguments[I].entries...);
      }
    } catch (...) {
      throw EntryFailure{next, std::current_exception()};
    }
  });
}

/// Calls `use(entry, value...)` for so many entries, with what columns have for each. Memory of the
/// thread's Arena is given back after each. Throws EntryFailure with what was thrown, and as
/// Pulse::beat().
template <class... T, class Use>
void forEachEntry(std::size_t entries, std::span<const ArgumentValues> arguments, Use use) {
  forEachEntry<T...>(entries, arguments, use, std::index_sequence_for<T...>());
}

} // namespace kaon::detail
