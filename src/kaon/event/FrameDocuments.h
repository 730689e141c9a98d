#pragma once

#include <kaon/event/FileMetadata.h>
#include <kaon/event/FrameContents.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/BatchWriter.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace kaon {

/// Documents that frames add to a file beside their values: the models of their collections, and
/// the metadata of the files that they come from. For one thread at a time.
class FrameDocuments {
public:
  /// `before` is the metadata of the file that is appended to.
  explicit FrameDocuments(Metadata before = {}) : m_metadata(std::move(before)) {}

  /// Adds the documents of a frame of this category that earlier frames lacked. Also adds the name
  /// of its file, if the writer records provenance.
  void add(detail::FrameContents& frame, const std::string& category, BatchWriter& writer);
  /// Writes the metadata. Call it when all frames are written.
  void finish(BatchWriter& writer) const;

  /// Returns the metadata that the writer sets.
  [[nodiscard]] Metadata& metadata() noexcept { return m_metadata.own(); }

private:
  WrittenMetadata m_metadata;
  std::set<const detail::ModelInfo*> m_models;
  // Files that frames came from, closed ones too, and which of their categories went to which.
  using Ways = std::set<std::pair<const Source*, std::string>>;
  std::map<std::weak_ptr<const File>, Ways, std::owner_less<>> m_files;
};

} // namespace kaon
