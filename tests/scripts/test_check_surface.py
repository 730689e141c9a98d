"""The check of the C++ interface lists public declarations, but no internals."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "scripts/check-surface.py"))

HEADER = """
#pragma once

#include <vector>

namespace kaon {

class File;

/// Comments; with { brackets, "quotes" and 'letters'.
enum class Kind : unsigned char {
  one, ///< the first
  two
};

struct Options {
  bool map = true; // a default
  int first = 0, last = {1};
  std::vector<std::uint64_t> tags = {};
};

template <class T>
  requires(sizeof(T) > 1) && requires { T(); }
class Series : public Base<T> {
public:
  explicit Series(int size) : Base<T>{size}, m_size(size > 1 ? size : 1) {}
  ~Series();
  [[nodiscard]] const T& operator[](std::size_t i) const { return m_values[i]; }
  T& operator()(int i);
  template <class U>
  void add(U value)
    requires std::same_as<U, T>
  {
    m_values.push_back(value);
  }
  class Iterator {
  public:
    int position() const { return m_position; }

  private:
    int m_position;
  };
  using value_type = T;
  static constexpr int most = 1 << 4;

protected:
  void reserve();

private:
  int m_size;
};

[[nodiscard]] std::array<int, std::size_t{1} << 2> sizesOf(const File& file);
template <class T>
inline constexpr bool isSeries = false;
template <class T>
inline constexpr bool isSeries<Series<T>> = true;
template <class T>
concept IsSeries = isSeries<T> && requires(T t) { t.size(); };

namespace detail {
struct Hidden {};
} // namespace detail

} // namespace kaon

namespace kaon::detail {
void hidden();
}

template <>
struct std::hash<kaon::Options> {
  std::size_t operator()(const kaon::Options& options) const noexcept;
};
"""
EXPECTED = """
kaon: class File
kaon: enum class Kind : unsigned char { one, two }
kaon: struct Options
  bool map = true
  int first = 0, last = {1}
  std::vector<std::uint64_t> tags = {}
kaon: template <class T> requires(sizeof(T) > 1) && requires { T(); } class Series : public Base<T>
  explicit Series(int size)
  ~Series()
  [[nodiscard]] const T& operator[](std::size_t i) const
  T& operator()(int i)
  template <class U> void add(U value) requires std::same_as<U, T>
  class Iterator
    int position() const
  using value_type = T
  static constexpr int most = 1 << 4
kaon: [[nodiscard]] std::array<int, std::size_t{1} << 2> sizesOf(const File& file)
kaon: template <class T> inline constexpr bool isSeries = false
kaon: template <class T> concept IsSeries = isSeries<T> && requires(T t) { t.size(); }
template <> struct std::hash<kaon::Options>
  std::size_t operator()(const kaon::Options& options) const noexcept
"""


@pytest.fixture
def headers(tmp_path):
    path = tmp_path / "series.h"
    path.write_text(HEADER)
    found = CHECK["Parser"](path).namespaces()
    return {"series.h": [each for each in found if CHECK["is_public"](each[0])]}


def test_a_header_is_listed_without_bodies_and_internals(headers):
    lines = [*CHECK["lines_of"](headers)]
    assert lines[1:3] == ["", "<series.h>"]
    assert lines[3:] == EXPECTED.strip().splitlines()


def test_names_that_the_reference_lacks_are_found(headers):
    names = {name for _, name in CHECK["undocumented"](headers)}
    assert {"kaon::Options", "kaon::Series", "kaon::sizesOf", "kaon::IsSeries"} <= names
    assert "kaon::File" not in names  # in the reference


def test_a_header_that_ends_in_a_declaration_is_an_error(tmp_path):
    path = tmp_path / "cut.h"
    path.write_text("namespace kaon {\nclass Cut {\npublic:\n  int size(")
    with pytest.raises(ValueError, match=r"cut.h: a declaration has no end: 'int size\('"):
        [*CHECK["Parser"](path).namespaces()]
