#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaonfile/ClusterMemory.h>
#include <kaon/formats/kaonfile/ContentsWriter.h>
#include <kaon/formats/kaonfile/EncodedCluster.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/io/WholeFile.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// Writes a .kaon file. Each batch becomes a cluster, with the layout in its schema. Thread-safe:
/// any thread may encode and append clusters. A batch that does not fit is refused, and leaves the
/// file unchanged. If the sink fails, the file cannot be completed: a new file stays readable up to
/// its last cluster, and an appended one gets its old contents.
class FileWriter final : public Sink {
  struct Category;
  struct Cluster;

public:
  /// Begins a new file.
  explicit FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options = {});
  /// Appends to a file with these contents; `sink` appends to that file. Existing bytes are not
  /// changed, and nothing is written before the first cluster or document. `bytes` is the file,
  /// from which keys of its entries are read.
  FileWriter(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const io::ByteSource> bytes,
             FileContents contents, SinkOptions options = {});
  ~FileWriter() override;

  [[nodiscard]] const std::string& name() const noexcept override { return m_file.name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;
  void append(std::unique_ptr<detail::EncodedBatch> cluster) override;
  [[nodiscard]] bool takesCopies() const noexcept override { return true; }
  void appendCopy(std::string_view category, detail::EncodedBatch& cluster) override;
  void takeBack(std::unique_ptr<detail::EncodedBatch> cluster) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void sync() override;
  [[nodiscard]] bool holdsObjects() const noexcept override { return true; }
  void addObject(std::string_view name, const ObjectTree& object) override;
  [[nodiscard]] std::string copyObject(const ObjectStore& store, const StoredObject& object,
                                       const ObjectTree* changed) override;
  void finish() override;
  void abandon() noexcept override;
  void setAside(detail::EncodedBatch& cluster) override;

private:
  [[nodiscard]] Category& category(std::string_view name);
  Category& add(std::uint32_t number);
  void writeCluster(Category& target, const EncodedCluster& cluster, const ClusterBytes& bytes);
  void writeObject(std::string_view name, const std::string& document);
  [[nodiscard]] std::unique_ptr<Cluster> prepare(std::string_view category, const Batch& batch);

  mutable std::mutex m_mutex; // protects the following members
  SinkOptions m_options;
  ContentsWriter m_file;
  io::WholeFile m_whole{m_file.sink()};
  ClusterMemory m_memory;
  std::vector<std::unique_ptr<Category>> m_categories; // without sorted keys
  std::map<std::string, Category*, std::less<>> m_named;
  std::set<std::string, std::less<>> m_objects; // names of objects that were written
};

} // namespace kaon::kaonfile
