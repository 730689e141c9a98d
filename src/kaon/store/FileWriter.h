#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/io/ByteSink.h>
#include <kaon/store/PageWriter.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kaon::store {

struct FileOptions {
  Compression compression;
  std::size_t pageBytes = 64 * 1024; ///< decoded bytes of the largest column of a page
};

/// Writes a .kaon file: each batch becomes a cluster. The layout of a table is in its schema.
class FileWriter final : public Sink {
public:
  explicit FileWriter(std::unique_ptr<io::ByteSink> sink, FileOptions options = {});

  void write(std::string_view category, const Batch& batch) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;

private:
  struct Cluster {
    std::uint64_t position, firstEntry;
    std::uint32_t entries;
  };
  struct Category {
    std::string name;
    std::vector<Table> tables;
    std::uint64_t entries = 0;
    std::vector<Cluster> clusters;
    PageWriter::Choosers choosers;
  };
  Category& category(std::string_view name);
  void extendSchema(Category& category, const Schema& schema);
  void writeRecord(RecordHeader header, std::span<const std::byte> meta,
                   std::span<const std::byte> pages = {});
  void put(std::span<const std::byte> bytes);
  void align();
  [[nodiscard]] std::uint32_t number(const Category& category) const;
  void writeIndex();

  std::unique_ptr<io::ByteSink> m_sink;
  PageWriter m_pages;
  std::vector<std::unique_ptr<Category>> m_categories;
  std::map<std::string, std::string, std::less<>> m_documents;
  std::uint64_t m_fileId;
  std::uint64_t m_position = 0;
  bool m_open = true; // not finished, and nothing failed
};

} // namespace kaon::store
