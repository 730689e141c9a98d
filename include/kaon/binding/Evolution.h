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

/// How a member that a file lacks is computed from others that it has.
struct Computation {
  std::vector<std::string> from; ///< members of the file
  std::vector<Scalar> types;     ///< the type that each is converted to
  /// Gets each argument's values, one after another, and writes as many results.
  std::function<void(std::span<const std::byte* const> arguments, std::size_t rows,
                     std::byte* results)>
      run;
};

/// For onRead() and the library. The computations of a member, the newest first; they stay where
/// they are.
void addComputation(const Datatype& type, std::string_view member, Scalar result,
                    Computation computation);
[[nodiscard]] std::vector<const Computation*> computationsOf(const Leaf& leaf);

} // namespace detail

namespace detail {

template <class Result, class... Arguments, std::size_t... i>
Computation makeComputation(std::vector<std::string> from,
                            std::function<Result(Arguments...)> function,
                            std::index_sequence<i...> /*numbers*/) {
  static_assert((std::is_arithmetic_v<std::remove_cvref_t<Arguments>> && ...) &&
                    std::is_arithmetic_v<Result>,
                "a function for onRead takes and returns numbers");
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

/// Tells how to compute a member of T, one number, that files of older models lack:
///
///     kaon::onRead<Hit>("r", {"x", "y"}, [](float x, float y) { return std::hypot(x, y); });
///
/// Where a file lacks the member and has all those that it is computed `from`, the function is
/// called for all objects of a page when the member is first touched, maybe in several threads at
/// the same time. Arguments are converted as members are. Of several functions for a member, the
/// last one that can be used is. To be called, from any thread, before frames are read. Throws
/// Error(name) if T has no such member, Error(type) if the function does not return what it holds,
/// Error(usage) if the names are not as many as the arguments.
template <class T, class Function>
void onRead(std::string_view member, std::vector<std::string> from, Function function) {
  detail::addFunction(T::datatype(), member, std::move(from), std::function{std::move(function)});
}

} // namespace kaon
