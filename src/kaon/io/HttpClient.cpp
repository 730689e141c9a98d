#include <kaon/io/HttpClient.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace kaon::io {
namespace {

constexpr long mostConnections = 8; // about as many as browsers use
constexpr int mostAttempts = 3;
constexpr std::chrono::milliseconds firstPause{200};
constexpr long mostRedirections = 8;
constexpr std::size_t mostErrorBytes = std::size_t{64} << 10; // of the text of an error

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct EasyDeleter {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;

/// "bytes 100-199/5000", or "bytes */5000" if the range is beyond the end.
struct ContentRange {
  std::optional<std::uint64_t> first;
  std::uint64_t size = 0;
};

std::optional<std::uint64_t> numberAt(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<ContentRange> contentRange(std::string_view text) {
  constexpr std::string_view unit = "bytes ";
  if (!text.starts_with(unit))
    return std::nullopt;
  text.remove_prefix(unit.size());
  ContentRange range;
  if (!text.starts_with('*')) {
    range.first = numberAt(text);
    if (!range.first)
      return std::nullopt;
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(slash + 1);
  const auto size = numberAt(text);
  if (!size)
    return std::nullopt;
  range.size = *size;
  return range;
}

} // namespace

/// One range being transferred.
class HttpClient::Transfer {
public:
  Transfer(const std::string& url, const ByteRange& range, std::span<std::byte> place,
           const HttpLimits& limits)
      : m_range(range), m_place(place), m_easy(curl_easy_init()) {
    if (!m_easy)
      throw std::bad_alloc();
    const std::string bytes =
        std::to_string(range.offset) + "-" + std::to_string(range.offset + range.count - 1);
    CURL* const easy = m_easy.get();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_RANGE, bytes.c_str());
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "kaon");
    curl_easy_setopt(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, mostRedirections);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    const auto patience = static_cast<long>(limits.patience.count());
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, patience);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, limits.leastBytesPerSecond);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, patience);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfer::takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Transfer::takeHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] CURL* easy() const noexcept { return m_easy.get(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return m_range.count; }
  void limit(milliseconds longest) noexcept {
    curl_easy_setopt(easy(), CURLOPT_TIMEOUT_MS, static_cast<long>(longest.count()));
  }
  void begin() noexcept {
    m_received = 0;
    m_facts = {};
    m_contentRange.reset();
  }
  void end(CURLcode result) noexcept {
    m_result = result;
    curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &m_status);
  }

  /// Whether a new attempt may succeed.
  [[nodiscard]] bool mayPass() const noexcept {
    constexpr long tooMany = 429, serverErrors = 500;
    if (m_result == CURLE_WRITE_ERROR) // the answer does not match the request
      return false;
    return m_result != CURLE_OK || m_status == tooMany || m_status >= serverErrors;
  }
  [[nodiscard]] bool isDone() const noexcept {
    constexpr long partialContent = 206;
    return m_result == CURLE_OK && m_status == partialContent && m_contentRange &&
           m_contentRange->first == m_range.offset && m_received == m_range.count;
  }
  [[nodiscard]] const FileFacts& facts() const noexcept { return m_facts; }

  [[noreturn]] void failAs(const std::string& url) const {
    constexpr long notFound = 404, gone = 410, whole = 200, errors = 400;
    if (m_status == notFound || m_status == gone)
      fail(ErrorKind::missing, url, ": the file does not exist");
    if (m_status >= errors)
      fail(ErrorKind::io, url, ": cannot be read: the server answers ", m_status);
    if (m_status == whole)
      fail(ErrorKind::io, url,
           ": the server sends only whole files, no ranges of bytes; copy the file to this machine "
           "first");
    if (m_result != CURLE_OK && m_result != CURLE_WRITE_ERROR)
      fail(ErrorKind::io, url, ": cannot be read: ", curl_easy_strerror(m_result));
    fail(ErrorKind::io, url, ": the server sent other bytes than those from ", m_range.offset,
         " to ", m_range.offset + m_range.count, "; has the file changed?");
  }

private:
  static std::size_t takeBody(const char* bytes, std::size_t /*one*/, std::size_t count,
                              void* self) noexcept {
    Transfer& transfer = *static_cast<Transfer*>(self);
    constexpr long partialContent = 206;
    long status = 0;
    curl_easy_getinfo(transfer.easy(), CURLINFO_RESPONSE_CODE, &status);
    if (status != partialContent) { // accept the text of an error, but no whole file
      transfer.m_received += count;
      return status == 200 || transfer.m_received > mostErrorBytes ? 0 : count;
    }
    if (count > transfer.m_place.size() - transfer.m_received)
      return 0; // ends the transfer
    std::memcpy(transfer.m_place.data() + transfer.m_received, bytes, count);
    transfer.m_received += count;
    return count;
  }

  static std::size_t takeHeader(const char* bytes, std::size_t /*one*/, std::size_t count,
                                void* self) noexcept {
    Transfer& transfer = *static_cast<Transfer*>(self);
    std::string_view line(bytes, count);
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n'))
      line.remove_suffix(1);
    if (line.starts_with("HTTP/")) // headers before belong to a redirection
      transfer.begin();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return count;
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    const auto isName = [&](std::string_view name) {
      return std::ranges::equal(line.substr(0, colon), name, [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
      });
    };
    try {
      if (isName("etag"))
        transfer.m_facts.tag = value;
    } catch (const std::bad_alloc&) {
      return 0;
    }
    if (isName("content-range")) {
      transfer.m_contentRange = contentRange(value);
      transfer.m_facts.size = transfer.m_contentRange ? transfer.m_contentRange->size : 0;
    }
    return count;
  }

  ByteRange m_range;
  std::span<std::byte> m_place;
  Easy m_easy;
  std::size_t m_received = 0;
  FileFacts m_facts;
  std::optional<ContentRange> m_contentRange;
  CURLcode m_result = CURLE_OK;
  long m_status = 0;
};

HttpClient::HttpClient(std::string url, const HttpLimits& limits)
    : m_url(std::move(url)), m_limits(limits) {
  static const CURLcode isReady = curl_global_init(CURL_GLOBAL_DEFAULT); // once
  if (isReady != CURLE_OK)
    fail(ErrorKind::io, m_url, ": libcurl cannot be used: ", curl_easy_strerror(isReady));
  std::byte first;
  Transfers transfers;
  transfers.push_back(
      std::make_unique<Transfer>(m_url, ByteRange{0, 1}, std::span(&first, 1), m_limits));
  run(transfers);
  m_facts = transfers.front()->facts();
}

void HttpClient::fetch(std::span<const ByteRange> ranges,
                       std::span<const std::span<std::byte>> places) {
  Transfers transfers;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    transfers.push_back(std::make_unique<Transfer>(m_url, ranges[i], places[i], m_limits));
  run(transfers);
}

/// Whether an answer is about another version of the file. Errors tell nothing about it.
bool HttpClient::hasChanged(const FileFacts& facts) const noexcept {
  return m_facts.size > 0 && facts.size > 0 &&
         (facts.size != m_facts.size || facts.tag != m_facts.tag);
}

/// Runs all transfers; repeats failed ones several times.
void HttpClient::run(const Transfers& transfers) {
  std::vector<Transfer*> left;
  std::uint64_t bytes = 0;
  for (const auto& transfer : transfers) {
    left.push_back(transfer.get());
    bytes += transfer->bytes();
  }
  const auto end = Clock::now() + 4 * m_limits.patience +
                   std::chrono::seconds(bytes / m_limits.wholeBytesPerSecond);
  for (int attempt = 1;; ++attempt) {
    const auto longest = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    perform(left, std::max(longest, milliseconds{1}));
    for (const Transfer* const transfer : left)
      if (hasChanged(transfer->facts()))
        fail(ErrorKind::io, m_url, ": has changed since it was opened; open it again");
    std::erase_if(left, [](const Transfer* transfer) { return transfer->isDone(); });
    if (left.empty())
      return;
    for (const Transfer* const transfer : left)
      if (!transfer->mayPass() || attempt == mostAttempts || Clock::now() >= end)
        transfer->failAs(m_url);
    std::this_thread::sleep_for(firstPause * attempt * attempt);
  }
}

void HttpClient::perform(std::span<Transfer* const> transfers, milliseconds longest) {
  Multi multi = take();
  for (Transfer* const transfer : transfers) {
    transfer->begin();
    transfer->limit(longest);
    curl_multi_add_handle(multi.get(), transfer->easy());
  }
  int running = 1;
  constexpr int pollMilliseconds = 1000;
  CURLMcode state = CURLM_OK;
  while (state == CURLM_OK && running > 0) {
    state = curl_multi_perform(multi.get(), &running);
    if (state == CURLM_OK && running > 0)
      state = curl_multi_poll(multi.get(), nullptr, 0, pollMilliseconds, nullptr);
  }
  int queued = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi.get(), &queued)) {
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    if (message->msg == CURLMSG_DONE && transfer)
      transfer->end(message->data.result);
  }
  for (Transfer* const transfer : transfers)
    curl_multi_remove_handle(multi.get(), transfer->easy());
  if (state != CURLM_OK)
    fail(ErrorKind::io, m_url, ": cannot be read: ", curl_multi_strerror(state));
  giveBack(std::move(multi));
}

/// Returns a handle that keeps connections open for its next user.
HttpClient::Multi HttpClient::take() {
  Idle& idle = m_idle.get();
  const std::scoped_lock lock(idle.mutex);
  if (!idle.multis.empty()) {
    Multi last = std::move(idle.multis.back());
    idle.multis.pop_back();
    return last;
  }
  Multi multi(curl_multi_init());
  if (!multi)
    throw std::bad_alloc();
  curl_multi_setopt(multi.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, mostConnections);
  return multi;
}

void HttpClient::giveBack(Multi multi) {
  Idle& idle = m_idle.get();
  const std::scoped_lock lock(idle.mutex);
  idle.multis.push_back(std::move(multi));
}

} // namespace kaon::io
