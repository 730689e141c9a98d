#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Hdf5CategoryWriter.h>
#include <kaon/formats/hdf5/Hdf5Documents.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/io/ByteSink.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

/// Writes an HDF5 file. Any number of threads gather batches. They are then encoded and written in
/// order; each batch encodes all datasets in parallel. The descriptions of chunks stay in memory
/// until finish(). If the sink fails or finish() is not called, the file does not appear at its
/// path.
class Hdf5FileWriter final : public Sink {
public:
  /// Throws Error(io). Throws Error(usage) for pipes, because HDF5 writes the beginning of a file
  /// last.
  Hdf5FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options);
  ~Hdf5FileWriter() override { giveUp(); }

  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override;
  void append(std::unique_ptr<detail::EncodedBatch> batch) override;
  [[nodiscard]] bool takesCopies() const noexcept override { return true; }
  void appendCopy(std::string_view category, detail::EncodedBatch& batch) override;
  void addDocument(std::string_view name, std::string_view text) override;
  void finish() override;
  void abandon() noexcept override;

private:
  void checkOpen() const;
  void attempt(const auto& write);
  void giveUp() noexcept;
  [[nodiscard]] Hdf5CategoryWriter& categoryWith(std::string_view category, const Schema& split);
  void checkName(std::string_view category) const;

  mutable std::mutex m_mutex; // guards all members below
  std::unique_ptr<io::ByteSink> m_sink;
  std::shared_ptr<SinkBytes> m_bytes;
  SinkOptions m_options;
  Hdf5Handle m_file;
  std::vector<Hdf5CategoryWriter> m_categories;
  Documents m_documents;
  bool m_isOpen = true; // not finished, and nothing failed
};

} // namespace kaon::hdf5
