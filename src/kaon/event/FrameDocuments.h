#pragma once

#include <kaon/batch/BatchWriter.h>
#include <kaon/event/FrameContents.h>

#include <memory>
#include <set>

namespace kaon {

/// What frames bring along into a file beside their values: the models of their collections, and
/// of the files that they come from. For one thread at a time.
class FrameDocuments {
public:
  /// Puts what the frame brings and earlier ones did not; also the name of its file, if the writer
  /// records provenance.
  void add(FrameContents& frame, BatchWriter& writer);

private:
  std::set<const ModelInfo*> m_models;
  std::set<std::weak_ptr<const File>, std::owner_less<>> m_files; // closed ones too
};

} // namespace kaon
