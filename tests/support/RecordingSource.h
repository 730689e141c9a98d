#pragma once

#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace kaon::test {

/// The requests to a source: a list of ranges for each request.
class RequestLog {
public:
  void add(std::span<const io::ByteRange> ranges) {
    const std::scoped_lock lock(m_mutex);
    m_requests.emplace_back(ranges.begin(), ranges.end());
  }
  [[nodiscard]] std::vector<std::vector<io::ByteRange>> requests() const {
    const std::scoped_lock lock(m_mutex);
    return m_requests;
  }
  void clear() {
    const std::scoped_lock lock(m_mutex);
    m_requests.clear();
  }

private:
  mutable std::mutex m_mutex;
  std::vector<std::vector<io::ByteRange>> m_requests;
};

/// Wraps a source and records its requests. Readers treat it like a remote source.
class RecordingSource final : public io::ByteSource {
public:
  /// The logs outlive the source, which its reader owns.
  struct Logs {
    RequestLog views;      ///< of view() and views()
    RequestLog prefetches; ///< of prefetch()
  };

  RecordingSource(std::unique_ptr<io::ByteSource> source, std::shared_ptr<Logs> logs)
      : ByteSource(source->name()), m_source(std::move(source)), m_logs(std::move(logs)) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size(); }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    m_logs->prefetches.add(ranges);
    m_source->prefetch(ranges);
  }
  [[nodiscard]] bool isDistant() const noexcept override { return m_source->isDistant(); }
  [[nodiscard]] std::shared_ptr<const void>
  hold(std::span<const io::ByteRange> ranges) const override {
    m_logs->prefetches.add(ranges);
    return m_source->hold(ranges);
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    m_logs->views.add(ranges);
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }

  std::unique_ptr<io::ByteSource> m_source;
  std::shared_ptr<Logs> m_logs;
};

} // namespace kaon::test
