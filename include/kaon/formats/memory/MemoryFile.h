#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::memory {

class MemoryCategory;

/// Tables in memory that are read like a file. Batches written to its sink become a dataset of
/// frames, batches and arrays, without encoding or decoding. All layouts are split. Thread-safe
/// after its sink is finished.
class MemoryFile final : public File, public std::enable_shared_from_this<MemoryFile> {
public:
  /// `name` is for messages.
  [[nodiscard]] static std::shared_ptr<MemoryFile> make(std::string name);
  ~MemoryFile() override;

  /// Returns a sink for this file, which shares its ownership. Appended batches become visible when
  /// the sink is finished. Each batch is a cluster. A further sink appends behind them; do not
  /// finish it while the file is read.
  [[nodiscard]] std::unique_ptr<Sink> sink();

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] std::string_view format() const noexcept override { return "memory"; }
  /// The size of the values.
  [[nodiscard]] std::uint64_t bytes() const noexcept override;
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_id; }
  [[nodiscard]] std::vector<std::string> categories() const override;
  [[nodiscard]] const Source& category(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> documents() const override;
  [[nodiscard]] std::string document(std::string_view name) const override;

private:
  friend class MemorySink;
  explicit MemoryFile(std::string name);

  std::string m_name;
  std::uint64_t m_id;
  std::vector<std::unique_ptr<MemoryCategory>> m_categories;
  std::map<std::string, std::string, std::less<>> m_documents;
};

} // namespace kaon::memory
