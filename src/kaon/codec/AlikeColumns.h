#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Encoding.h>

#include <array>
#include <cstddef>
#include <vector>

namespace kaon::codec {

/// What trials of a file's columns found, so that not everything is tried for each of thousands of
/// columns that are alike: those of the same type of which the same schemes leave as much. For one
/// thread at a time.
class AlikeColumns {
public:
  /// The schemes to try first for a page of such values: those that were best, or nearly so, for
  /// the last columns. Empty where these were not alike, and now and then, so that everything is
  /// tried again.
  [[nodiscard]] std::vector<Scheme> schemes(const Element& element);
  /// Whether a page of which the best of them leaves so much, as a fraction, is like the columns
  /// before.
  [[nodiscard]] bool areLike(const Element& element, double ratio) const;
  /// Everything was tried: the best schemes, and what the best one left.
  void add(const Element& element, std::vector<Scheme> best, double ratio);

private:
  static constexpr std::size_t columns = 4;      // that must have been alike
  static constexpr std::size_t mostColumns = 32; // that are taken to be like them
  static constexpr std::size_t mostTypes = 16;
  struct Trial {
    std::vector<Scheme> schemes;
    double ratio = 0;
  };
  struct Type {
    Element element;
    std::array<Trial, columns> trials;
    std::size_t count = 0; // of all trials
    std::size_t taken = 0; // to be like them
  };
  [[nodiscard]] const Type* find(const Element& element) const;
  [[nodiscard]] static bool areAlike(const Type& type);
  static bool isNear(double a, double b) noexcept { return a < 1.03 * b && b < 1.03 * a; }

  std::vector<Type> m_types;
};

} // namespace kaon::codec
