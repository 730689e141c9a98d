#pragma once

#include <kaon/event/Parameters.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kaon {

/// What parameterType() says of these values.
[[nodiscard]] std::string_view typeOf(const ParameterValues& values);

/// The parameters that a program has put into a frame, in the order in which they first came. Most
/// frames get the same ones in the same order: then none is looked for. For one thread at a time.
class PutParameters {
public:
  /// What the writer that had a parameter last noted about it, for frames that are used again.
  /// Several writers may do so at a time; copies begin without.
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
    ParameterValues values;
    bool isThere = true; ///< if not, it was once, and its memory is kept
    mutable WriterNote note = {};
  };

  /// Sets the one of this name and of the type of these values.
  void set(std::string_view name, ParameterValues values) {
    m_areLarge = true;
    at(name, values.index()) = std::move(values);
  }
  /// Sets a single value.
  template <class T>
  void setOne(std::string_view name, T value) {
    constexpr std::size_t type = ParameterValues(std::vector<T>()).index();
    if constexpr (std::is_same_v<T, std::string>)
      m_areLarge = m_areLarge || value.size() > largeText;
    std::get<type>(at(name, type)).assign(1, std::move(value)); // it keeps its memory
  }
  /// The values of this name and type, null if there are none.
  [[nodiscard]] const ParameterValues* find(std::string_view name, std::string_view type) const;
  /// Forgets them, but keeps the memory of single values that were there since the last time: the
  /// next frame mostly has the same ones.
  void clear() noexcept;

  [[nodiscard]] bool empty() const noexcept { return m_all.empty(); }
  /// All, those that are not there too.
  [[nodiscard]] auto begin() const noexcept { return m_all.begin(); }
  [[nodiscard]] auto end() const noexcept { return m_all.end(); }

private:
  static constexpr std::size_t largeText = 4096;

  [[nodiscard]] ParameterValues& at(std::string_view name, std::size_t type) {
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
  std::vector<std::uint32_t> m_hashes; // of their names: many are passed over quickly
  std::size_t m_next = 0;              // after the last one that was set
  bool m_areLarge = false;             // there may be some that take much memory
};

} // namespace kaon
