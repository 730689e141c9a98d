#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kaon::test {

/// A directory for one test, deleted with the object.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kaon-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw std::runtime_error("cannot make a temporary directory");
    m_path = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  /// Returns the path of a file in it.
  [[nodiscard]] std::string operator/(std::string_view file) const {
    return (m_path / file).string();
  }

private:
  std::filesystem::path m_path;
};

inline std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeFile(const std::string& path, std::string_view contents) {
  std::ofstream out(path, std::ios::binary);
  out << contents;
  if (!out.flush())
    throw std::runtime_error("cannot write " + path);
}

} // namespace kaon::test
