#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaon/CategoryKeys.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/PageWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/io/SpillFile.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kaon::store {

/// Writes a .kaon file: each batch becomes a cluster. The layout of a table is in its schema. Any
/// number of threads may encode clusters, which is the work, and append them. A batch that does not
/// fit is refused and leaves the file as it was. If the sink fails the file cannot be completed;
/// what was written of a new one before stays readable, one that was appended to is what it was.
class FileWriter final : public Sink {
  struct Category;

public:
  /// A new file.
  explicit FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options = {});
  /// Goes on behind what a file contains: `sink` appends to that very file. Nothing that is in it
  /// is touched, and nothing is written before the first cluster or document. `bytes` are the
  /// file's: the keys of its entries are read from there.
  FileWriter(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const io::ByteSource> bytes,
             FileContents contents, SinkOptions options = {});
  ~FileWriter() override;

  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<EncodedBatch> encode(std::string_view category,
                                                     const Batch& batch) override;
  void append(std::unique_ptr<EncodedBatch> cluster) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;
  void setAside(EncodedBatch& cluster) override;

private:
  struct Cluster final : EncodedBatch {
    [[nodiscard]] std::size_t bytes() const noexcept override;
    Category* category = nullptr;
    std::unique_ptr<PageWriter> pages; // null if it was set aside
    std::uint32_t entries = 0;
    std::map<std::uint32_t, Bounds> bounds; // of keys, by table
    std::vector<KeyPlace> places;           // of the keys that there were
    BatchKeys keys;
    std::map<std::uint32_t, Buffer> tags; // values, by table
    struct Aside {
      std::uint64_t position = 0; // of the meta bytes; the pages follow
      std::size_t metaSize = 0;
      std::size_t pagesSize = 0;
    } aside;
  };

  void checkOpen() const;
  /// Runs what writes something of which half is of no use: if it throws, nothing can follow.
  void attempt(const auto& write);
  Category& category(std::string_view name);
  Category& addCategory(std::string_view name);
  void extendSchema(Category& category, const Schema& schema);
  void writeSchemas();
  [[nodiscard]] PageBuffers takeSpare();
  void keepSpare(PageBuffers buffers);
  [[nodiscard]] PageBuffers takeBack(const Cluster::Aside& aside);
  void writeCluster(Category& category, RecordKind kind, std::uint64_t firstEntry,
                    std::uint32_t entries, const PageBuffers& cluster);
  void addKeyBounds(Category& category, const std::map<std::uint32_t, Bounds>& bounds);
  void findKeys(Category& category);
  void checkKeys(const Category& category, const Cluster& cluster) const;
  void gatherKeys(Category& category, const Cluster& cluster, std::uint64_t firstEntry);
  [[nodiscard]] Category& sortedKeys(Category& category);
  void writeKeys(Category& category, const KeyColumns& rows);
  void writeAllKeys(Category& category);
  void mergeKeys(Category& category);
  void gatherTags(Category& category, const Cluster& cluster);
  void writeTags(Category& category);
  void writeRecord(RecordHeader header, std::span<const std::byte> meta,
                   std::span<const std::byte> pages = {});
  void put(std::span<const std::byte> bytes);
  void align();
  void writeIndex();

  mutable std::mutex m_mutex; // of all that follows
  std::unique_ptr<io::ByteSink> m_sink;
  SinkOptions m_options;
  FileContents m_contents; // of the file so far
  std::vector<std::unique_ptr<Category>> m_categories;
  std::uint64_t m_position = 0;
  std::vector<PageBuffers> m_spares;             // for the next clusters
  io::SpillFile m_asides;                        // clusters that wait
  std::size_t m_asideClusters = 0;               // that are in it
  std::shared_ptr<const io::ByteSource> m_bytes; // of what is appended to
  bool m_open = true;                            // not finished, and nothing failed
};

} // namespace kaon::store
