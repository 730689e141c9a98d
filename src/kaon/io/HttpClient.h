#pragma once

#include <kaon/base/Forks.h>
#include <kaon/io/ByteSource.h>
#include <kaon/io/HttpLimits.h>

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace kaon::io {

/// Requests ranges of one file from a server, several at the same time, with libcurl. Any thread.
class HttpClient {
public:
  /// Requests the size of the file. Throws the errors of httpSource().
  HttpClient(std::string url, const HttpLimits& limits);

  [[nodiscard]] std::uint64_t size() const noexcept { return m_facts.size; }

  /// As Fetch.
  void fetch(std::span<const ByteRange> ranges, std::span<const std::span<std::byte>> places);

private:
  class Transfer;
  using Transfers = std::vector<std::unique_ptr<Transfer>>;

  /// The properties of the file in an answer.
  struct FileFacts {
    std::uint64_t size = 0;
    std::string tag; ///< empty if the server sends none
  };
  struct MultiDeleter {
    void operator()(CURLM* handle) const noexcept { curl_multi_cleanup(handle); }
  };
  using Multi = std::unique_ptr<CURLM, MultiDeleter>;

  /// Keeps connections open. They belong to one process: if two processes used them, each would get
  /// answers to the other's requests.
  struct Idle {
    std::mutex mutex;
    std::vector<Multi> multis;
  };

  void run(const Transfers& transfers);
  void perform(std::span<Transfer* const> transfers, std::chrono::milliseconds longest);
  [[nodiscard]] bool hasChanged(const FileFacts& facts) const noexcept;
  [[nodiscard]] Multi take();
  void giveBack(Multi multi);

  std::string m_url;
  HttpLimits m_limits;
  FileFacts m_facts;
  OfProcess<Idle> m_idle;
};

} // namespace kaon::io
