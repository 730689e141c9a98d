#pragma once

#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/EncodingNumber.h>

#include <array>
#include <cstddef>
#include <vector>

namespace kaon::codec {

/// Results of trials of a file's columns, so that not every scheme is tried for each of thousands
/// of similar columns. Columns are similar if they have the same type and the same schemes reduce
/// them to about the same fraction. For one thread at a time.
class SimilarColumns {
public:
  /// Returns the schemes to try first for a page of these values: the best ones, or nearly so, for
  /// the last columns. Returns an empty vector if these were not similar, and now and then, so that
  /// all schemes are tried again.
  [[nodiscard]] std::vector<Scheme> schemes(const Element& element);
  /// Whether a page is similar to the columns before: the best of these schemes reduces it to
  /// `ratio` of its size.
  [[nodiscard]] bool areLike(const Element& element, double ratio) const;
  /// Adds the result of trying all schemes: the best ones, and the ratio of the best.
  void add(const Element& element, std::vector<Scheme> best, double ratio);

private:
  static constexpr std::size_t columns = 4;      // that must have been similar
  static constexpr std::size_t mostColumns = 32; // that are assumed to be similar to them
  static constexpr std::size_t mostTypes = 16;
  struct Trial {
    std::vector<Scheme> schemes;
    double ratio = 0;
  };
  struct Type {
    Element element;
    std::array<Trial, columns> trials;
    std::size_t count = 0; // number of all trials
    std::size_t taken = 0; // number of columns assumed to be similar
  };
  [[nodiscard]] const Type* find(const Element& element) const;
  [[nodiscard]] static bool areSimilar(const Type& type);
  static bool isNear(double a, double b) noexcept { return a < 1.03 * b && b < 1.03 * a; }

  std::vector<Type> m_types;
};

} // namespace kaon::codec
