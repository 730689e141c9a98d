#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Metadata.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kaon {

/// What a file says about itself; nothing if it has no such document. Throws Error(corrupt).
[[nodiscard]] Metadata readMetadata(const File& file);

/// The metadata of a file that is written: what its writer sets, and what the files say that frames
/// are copied from. For one thread at a time.
class WrittenMetadata {
public:
  /// Goes on from what the file said before frames were appended to it.
  explicit WrittenMetadata(Metadata before = {}) : m_before(before), m_own(std::move(before)) {}

  /// What was said before and what the writer sets.
  [[nodiscard]] Metadata& own() noexcept { return m_own; }

  /// Frames of a category of a file go to this category of the new one: what is said of the file,
  /// the category and its collections goes along, once. Warns if it cannot be read.
  void addSource(const File& file, const Source& category, std::string_view to);

  /// The document, nothing if what the file said before still holds. What the writer set goes
  /// before all else; the rest is merged by its rules, and what these do not allow is left out,
  /// with a warning that begins with the name of the new file.
  [[nodiscard]] std::optional<std::string> document(const std::string& file) const;

private:
  using FileKey = std::pair<std::uint64_t, std::string>; // the same for a file that is opened again
  Metadata m_before;
  Metadata m_own;
  std::vector<Metadata> m_sources;
  std::set<FileKey> m_files;
  std::set<std::tuple<FileKey, std::string, std::string>> m_categories; // with where they go
};

} // namespace kaon
