#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/Additions.h>
#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/RootDocuments.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/objects/CopiedClasses.h>
#include <kaon/formats/root/podio/RootFileDescription.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/SpillFile.h>
#include <kaon/io/WholeFile.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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

/// Writes a ROOT file, or adds to one. Each category becomes an RNTuple or a tree, and each batch a
/// cluster of it. Any number of threads may encode and append clusters; encoding is the expensive
/// step. The descriptions of pages stay in memory until finish(): 16 bytes per page. If the sink
/// fails or finish() is not called, the file does not appear at its path.
class RootFileWriter final : public Sink {
  struct Cluster;

public:
  /// Throws Error(io). Throws Error(usage) for pipes, because the first bytes of a ROOT file are
  /// written last.
  RootFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options,
                 CategoryForm form = CategoryForm::ntuple);
  /// Adds categories and objects to a file; `sink` appends to it. Its old contents stay, also if
  /// this writer does not finish. New categories cannot have the form `frames`. Throws Error(usage)
  /// if the file is unfinished or damaged.
  RootFileWriter(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const RootContainer> old,
                 SinkOptions options, CategoryForm form);
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
  [[nodiscard]] std::string copyObject(const ObjectStore& store, const StoredObject& object,
                                       const ObjectTree* changed) override;
  void addColumns(std::string_view category, std::string_view columns) override;
  void finish() override;
  void abandon() noexcept override;

private:
  [[nodiscard]] RootCategoryWriter& categoryWith(std::string_view name, const Schema& schema);
  [[nodiscard]] std::unique_ptr<RootCategoryWriter> newCategory(std::string_view name);
  void keep(Buffer pages);
  void describeFrames();
  void checkObjectName(std::string_view name) const;
  void writeObject(std::string_view name, const ObjectTree& object, const std::string& where);
  [[nodiscard]] Buffer classInfos(std::uint16_t keyBytes) const;
  void warnOfUnused() const;

  mutable std::mutex m_mutex; // guards all members below
  SinkOptions m_options;
  CategoryForm m_form;
  std::optional<Additions> m_additions; // if the file exists already
  ContainerWriter m_file;
  io::WholeFile m_whole{m_file.sink()};
  std::vector<std::unique_ptr<RootCategoryWriter>> m_categories;
  bool m_hasTrees = false;
  CopiedClasses m_storedClasses;                // of the old file, and of objects that were copied
  std::size_t m_oldClasses = 0;                 // number of those of the old file
  std::set<const RootContainer*> m_copied;      // files whose classes m_storedClasses has
  std::set<std::string, std::less<>> m_objects; // paths of objects that are not categories
  std::vector<Buffer> m_spares;                 // page memory to reuse
  Documents m_documents, m_oldDocuments;
  podio::RootFileDescription m_description; // for the form `frames`
  io::SpillFile m_asides;                   // pages of clusters that were set aside
  std::size_t m_asideClusters = 0;
};

/// Returns a writer that adds to the file at `path`. New categories are RNTuples, or trees if the
/// format of the options is "ttree". Throws as the constructor of RootFileWriter.
[[nodiscard]] std::unique_ptr<Sink> appendToRootFile(const std::string& path,
                                                     const SinkOptions& options);

} // namespace kaon::root
