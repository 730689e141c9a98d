#pragma once

#include <kaon/detail/base/LoadAs.h>
#include <kaon/model/Datatype.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kaon {

namespace detail {

/// The computation of a member that a file lacks from members that it has.
struct Computation {
  std::vector<std::string> from; ///< members of the file
  std::vector<Scalar> types;     ///< the type to which each is converted
  /// Computes `rows` results. Each argument points to its values, one after another.
  std::function<void(std::span<const std::byte* const> arguments, std::size_t rows,
                     std::byte* results)>
      run;
};

/// These functions are for onRead() and the library. computationsOf() returns the computations of a
/// member, the newest first; their addresses stay valid.
void addComputation(const Datatype& type, std::string_view member, Scalar result,
                    Computation computation);
[[nodiscard]] std::vector<const Computation*> computationsOf(const Leaf& leaf);

template <class Result, class... Arguments, std::size_t... i>
Computation makeComputation(std::vector<std::string> from,
                            std::function<Result(Arguments...)> function,
                            std::index_sequence<i...> /*numbers*/) {
  static_assert((std::is_arithmetic_v<std::remove_cvref_t<Arguments>> && ...) &&
                    std::is_arithmetic_v<Result>,
                "a function for onRead must take and return numbers");
  return {std::move(from),
          {scalarOf<std::remove_cvref_t<Arguments>>()...},
          [function = std::move(function)](std::span<const std::byte* const> arguments,
                                           std::size_t rows, std::byte* results) {
            for (std::size_t row = 0; row < rows; ++row) {
              const Result result = function(loadAs<std::remove_cvref_t<Arguments>>(
                  arguments[i] + row * sizeof(Arguments))...);
              std::memcpy(results + row * sizeof(Result), &result, sizeof result);
            }
          }};
}

template <class Result, class... Arguments>
void addFunction(const Datatype& type, std::string_view member, std::vector<std::string> from,
                 std::function<Result(Arguments...)> function) {
  addComputation(type, member, scalarOf<Result>(),
                 makeComputation(std::move(from), std::move(function),
                                 std::index_sequence_for<Arguments...>()));
}

} // namespace detail

/// Defines how to compute a member of T, one number, for files of older models that lack it:
///
///     kaon::onRead<Hit>("r", {"x", "y"}, [](float x, float y) { return std::hypot(x, y); });
///
/// The function is used if a file lacks the member and has all members in `from`. kaon calls it for
/// all objects of a page on the first access to the member, possibly in several threads at once.
/// Arguments are converted like members. If there are several functions for a member, the last
/// usable one is used. Call onRead() before you read frames; any thread may call it. Throws
/// Error(name) for an unknown member of T, Error(type) if the function returns another type, and
/// Error(usage) if the number of names and arguments differ.
template <class T, class Function>
void onRead(std::string_view member, std::vector<std::string> from, Function function) {
  detail::addFunction(T::datatype(), member, std::move(from), std::function{std::move(function)});
}

} // namespace kaon
