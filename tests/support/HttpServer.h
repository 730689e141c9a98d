#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace kaon::test {

/// An answer of the server: the end of a status line, headers, and bytes. All are sent unchanged.
struct HttpAnswer {
  std::string status = "206 Partial Content";
  std::string headers = {}; ///< each with "\r\n"
  std::string body = {};
  bool isCut = false; ///< the connection ends within the body, shorter than the announced length
  std::chrono::milliseconds pause{0}; ///< before each byte of the body
  bool isEndless = false;             ///< the body is sent again and again, without a length
};

/// A web server on this machine with one file, which answers requests for ranges of it. Each
/// connection has a thread. `spoil` makes faulty answers.
class HttpServer {
public:
  explicit HttpServer(std::string file) : m_file(std::move(file)) {
    m_socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (m_socket < 0 || ::bind(m_socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(m_socket, 64) != 0 ||
        ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port for a server");
    m_port = ntohs(address.sin_port);
    m_listener = std::thread([this] { listen(); });
  }
  ~HttpServer() {
    m_ends = true;
    ::shutdown(m_socket, SHUT_RDWR);
    m_listener.join();
    ::close(m_socket);
    {
      const std::scoped_lock lock(m_mutex);
      for (const int connection : m_connections)
        ::shutdown(connection, SHUT_RDWR);
    }
    for (std::thread& thread : m_threads)
      thread.join();
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(m_port) + "/events.kaon";
  }
  [[nodiscard]] std::size_t requests() const noexcept { return m_requests; }
  [[nodiscard]] std::size_t connections() {
    const std::scoped_lock lock(m_mutex);
    return m_connections.size();
  }

  /// Changes answers before they are sent; gets the number of the request, and its first byte. Set
  /// it while there are no requests.
  std::function<void(HttpAnswer&, std::size_t request, std::size_t first)> spoil;
  std::string tag = "\"1\"";

private:
  void listen() {
    for (;;) {
      const int connection = ::accept(m_socket, nullptr, nullptr);
      if (connection < 0 || m_ends)
        return;
      const std::scoped_lock lock(m_mutex);
      m_connections.push_back(connection);
      m_threads.emplace_back([this, connection] {
        serve(connection);
        ::shutdown(connection, SHUT_RDWR);
      });
    }
  }

  void serve(int connection) {
    std::string text;
    for (char buffer[4096]; !m_ends;) {
      const auto count = ::recv(connection, buffer, sizeof buffer, 0);
      if (count <= 0)
        return;
      text.append(buffer, static_cast<std::size_t>(count));
      for (std::size_t end; (end = text.find("\r\n\r\n")) != std::string::npos;) {
        if (!answer(connection, text.substr(0, end)))
          return;
        text.erase(0, end + 4);
      }
    }
  }

  bool answer(int connection, const std::string& request) {
    constexpr std::string_view range = "Range: bytes=";
    std::size_t first = 0, last = m_file.size() - 1;
    if (const std::size_t at = request.find(range); at != std::string::npos) {
      std::size_t length = 0;
      first = std::stoull(request.substr(at + range.size()), &length);
      last = std::stoull(request.substr(at + range.size() + length + 1));
    }
    HttpAnswer answer;
    answer.headers = "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(last) +
                     "/" + std::to_string(m_file.size()) + "\r\nETag: " + tag + "\r\n";
    answer.body = m_file.substr(std::min(first, m_file.size()), last + 1 - first);
    if (spoil)
      spoil(answer, m_requests++, first);
    else
      ++m_requests;
    const std::size_t sent = answer.isCut ? answer.body.size() / 2 : answer.body.size();
    const std::string length =
        answer.isEndless ? "" : "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
    if (!send(connection, "HTTP/1.1 " + answer.status + "\r\n" + answer.headers + length + "\r\n"))
      return false;
    while (answer.isEndless && !m_ends)
      if (!send(connection, answer.body))
        return false;
    if (answer.pause.count() == 0)
      return send(connection, std::string_view(answer.body).substr(0, sent)) && !answer.isCut;
    for (const char byte : answer.body) {
      std::this_thread::sleep_for(answer.pause);
      if (m_ends || !send(connection, {&byte, 1}))
        return false;
    }
    return true;
  }

  static bool send(int connection, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0)
        return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  std::string m_file;
  int m_socket = -1;
  std::uint16_t m_port = 0;
  std::atomic<bool> m_ends = false;
  std::atomic<std::size_t> m_requests = 0;
  std::mutex m_mutex;
  std::vector<int> m_connections;
  std::vector<std::thread> m_threads;
  std::thread m_listener;
};

} // namespace kaon::test
