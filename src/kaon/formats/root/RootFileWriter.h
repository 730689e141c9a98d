#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/CategoryWriter.h>
#include <kaon/formats/root/Documents.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/objects/StoredClasses.h>
#include <kaon/formats/root/podio/FileDescription.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/SpillFile.h>
#include <kaon/io/WholeFile.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// How a ROOT file stores categories.
enum class CategoryForm : std::uint8_t {
  ntuple,
  tree,
  frames ///< an RNTuple in podio's layout
};

/// Returns why a file cannot have a category of this name, or "" if it can.
[[nodiscard]] std::string obstacleTo(std::string_view category, CategoryForm form);

/// Writes a ROOT file. Each category becomes an RNTuple or a tree, and each batch a cluster of it.
/// Any number of threads may encode and append clusters; encoding is the expensive step. The
/// descriptions of pages stay in memory until finish(): 16 bytes per page. If the sink fails or
/// finish() is not called, the file does not appear at its path.
class RootFileWriter final : public Sink {
  struct Cluster;

public:
  /// Throws Error(io). Throws Error(usage) for pipes, because the first bytes of a ROOT file are
  /// written last.
  RootFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options,
                 CategoryForm form = CategoryForm::ntuple);
  ~RootFileWriter() override;

  [[nodiscard]] const std::string& name() const noexcept override { return m_file.sink().name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;
  void append(std::unique_ptr<detail::EncodedBatch> cluster) override;
  void setAside(detail::EncodedBatch& cluster) override;
  void addDocument(std::string_view name, std::string_view text) override;
  [[nodiscard]] bool holdsObjects() const noexcept override { return true; }
  void addObject(std::string_view name, const ObjectTree& object) override;
  void copyObjects(std::span<const ObjectStore* const> stores) override;
  void finish() override;
  void abandon() noexcept override;

private:
  [[nodiscard]] CategoryWriter& categoryWith(std::string_view name, const Schema& schema);
  [[nodiscard]] std::unique_ptr<CategoryWriter> newCategory(std::string_view name);
  void keep(Buffer pages);
  void describeFrames();
  void checkObjectName(std::string_view name) const;
  [[nodiscard]] Buffer classInfos(std::uint16_t keyBytes) const;

  mutable std::mutex m_mutex; // guards all members below
  SinkOptions m_options;
  CategoryForm m_form;
  ContainerWriter m_file;
  io::WholeFile m_whole{m_file.sink()};
  std::vector<std::unique_ptr<CategoryWriter>> m_categories;
  StoredClasses m_storedClasses;                // of objects that were copied
  std::set<std::string, std::less<>> m_objects; // paths of objects that are not categories
  std::vector<Buffer> m_spares;                 // page memory to reuse
  Documents m_documents;
  podio::FileDescription m_description; // for the form `frames`
  io::SpillFile m_asides;               // pages of clusters that were set aside
  std::size_t m_asideClusters = 0;
};

} // namespace kaon::root
