#pragma once

#include <kaon/detail/event/Parameters.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace kaon {

/// Returns parameterType() of these values.
[[nodiscard]] std::string_view typeOf(const detail::ParameterValues& values);

/// The parameters that a program has put into a frame, in the order in which they first came. Most
/// frames get the same parameters in the same order; no name is then looked up. For one thread at a
/// time.
class PutParameters {
public:
  /// A note of the last writer of this parameter, for frames that are reused. Several writers may
  /// set it at a time. Copies begin without a note.
  class WriterNote {
  public:
    WriterNote() = default;
    WriterNote(const WriterNote& /*other*/) noexcept {}
    WriterNote& operator=(const WriterNote& /*other*/) noexcept {
      set(0);
      return *this;
    }
    [[nodiscard]] std::uint64_t get() const noexcept {
      return m_number.load(std::memory_order_relaxed);
    }
    void set(std::uint64_t number) noexcept { m_number.store(number, std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> m_number = 0;
  };
  struct Parameter {
    std::string name;
    detail::ParameterValues values;
    bool isThere = true; ///< false: it was there once, and its memory is kept
    mutable WriterNote note = {};
  };

  /// Sets the parameter of this name and of the type of these values.
  void set(std::string_view name, detail::ParameterValues values) {
    m_areLarge = true;
    at(name, values.index()) = std::move(values);
  }
  /// Sets a parameter to a single value.
  template <class T>
  void setOne(std::string_view name, T value) {
    constexpr std::size_t type = typeIn<T>(std::type_identity<detail::ParameterValues>());
    if constexpr (std::is_same_v<T, std::string>)
      m_areLarge = m_areLarge || value.size() > largeText;
    std::get<type>(at(name, type)).assign(1, std::move(value)); // keeps its memory
  }
  /// Returns the values of this name and type, or null.
  [[nodiscard]] const detail::ParameterValues* find(std::string_view name,
                                                    std::string_view type) const;
  /// Removes all parameters, but keeps the memory of single values set since the last call: the
  /// next frame mostly has the same parameters.
  void clear() noexcept;

  [[nodiscard]] bool empty() const noexcept { return m_all.empty(); }
  /// Iterates over all parameters, including those with `isThere` false.
  [[nodiscard]] auto begin() const noexcept { return m_all.begin(); }
  [[nodiscard]] auto end() const noexcept { return m_all.end(); }

private:
  static constexpr std::size_t largeText = 4096;

  /// Returns the place of lists of T among the types of values.
  template <class T, class... Lists>
  [[nodiscard]] static constexpr std::size_t
  typeIn(std::type_identity<std::variant<Lists...>> /*types*/) noexcept {
    std::size_t place = 0;
    (void)((std::is_same_v<Lists, std::vector<T>> || (++place, false)) || ...);
    return place;
  }
  [[nodiscard]] detail::ParameterValues& at(std::string_view name, std::size_t type) {
    if (m_next >= m_all.size() || m_all[m_next].values.index() != type ||
        m_all[m_next].name != name)
      m_next = lookUp(name, type);
    Parameter& parameter = m_all[m_next++];
    parameter.isThere = true;
    return parameter.values;
  }
  [[nodiscard]] std::size_t lookUp(std::string_view name, std::size_t type);
  template <class IsWanted>
  [[nodiscard]] std::size_t positionWhere(std::string_view name, IsWanted isWanted) const;

  std::vector<Parameter> m_all;
  std::vector<std::uint32_t> m_hashes; // of the names, to skip most names quickly
  std::size_t m_next = 0;              // after the parameter that was set last
  bool m_areLarge = false;             // some values may take much memory
};

} // namespace kaon
