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

/// Returns the metadata of a file; empty if the file has none. Throws Error(corrupt).
[[nodiscard]] Metadata readMetadata(const File& file);

/// The metadata of a file being written: the writer's own, and those of the files that frames are
/// copied from. For one thread at a time.
class WrittenMetadata {
public:
  /// Begins with the metadata that the file had before frames were appended to it.
  explicit WrittenMetadata(Metadata before = {}) : m_before(before), m_own(std::move(before)) {}

  /// Returns the earlier metadata, with the writer's changes.
  [[nodiscard]] Metadata& own() noexcept { return m_own; }

  /// Call this when frames of a file's category go to the category `to` of the new file. Adds the
  /// metadata of the file, the category and its collections, each once. Warns if they cannot be
  /// read.
  void addSource(const File& file, const Source& category, std::string_view to);

  /// Returns the document, or nothing if the earlier metadata are unchanged. Values that the writer
  /// set come first; the rest is merged by its rules. Values that the rules cannot merge are left
  /// out, with a warning that begins with the name of the new file.
  [[nodiscard]] std::optional<std::string> document(const std::string& file) const;

private:
  using FileKey = std::pair<std::uint64_t, std::string>; // unchanged if the file is reopened
  Metadata m_before;
  Metadata m_own;
  std::vector<Metadata> m_sources;
  std::set<FileKey> m_files;
  std::set<std::tuple<FileKey, std::string, std::string>> m_categories; // with its destination
};

} // namespace kaon
