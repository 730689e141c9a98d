#pragma once

#include <kaon/batch/BatchWriter.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/event/FrameContents.h>
#include <kaon/model/Metadata.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace kaon {

/// What frames bring along into a file beside their values: the models of their collections, and
/// what the files that they come from say about themselves. For one thread at a time.
class FrameDocuments {
public:
  /// `before` is the metadata of the file that is appended to.
  explicit FrameDocuments(Metadata before = {}) : m_metadata(std::move(before)) {}

  /// Puts what a frame of this category brings and earlier ones did not; also the name of its file,
  /// if the writer records provenance.
  void add(FrameContents& frame, const std::string& category, BatchWriter& writer);
  /// Puts the metadata, when all frames are written.
  void finish(BatchWriter& writer) const;

  /// What the writer says of the file.
  [[nodiscard]] Metadata& metadata() noexcept { return m_metadata.own(); }

private:
  WrittenMetadata m_metadata;
  std::set<const ModelInfo*> m_models;
  // Files that frames came from, closed ones too; which of their categories went to which.
  using Ways = std::set<std::pair<const Source*, std::string>>;
  std::map<std::weak_ptr<const File>, Ways, std::owner_less<>> m_files;
};

} // namespace kaon
