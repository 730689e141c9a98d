#pragma once

#include <kaon/base/Error.h>
#include <kaon/dataset/MissingData.h>

#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kaon::detail {

/// The bad files that were met so far. Any thread.
class BadFiles {
public:
  explicit BadFiles(OnBadFile policy) noexcept : m_policy(policy) {}

  /// Adds a file, once. Call it in the catch block of an error: it throws this error again under
  /// OnBadFile::raise, and if it is not about the file, such as Error(usage).
  void add(const std::string& path, const Error& error, std::optional<std::uint64_t> entries = {});
  /// Throws the error of the first file that was added.
  [[noreturn]] void throwFirst() const;
  [[nodiscard]] OnBadFile policy() const noexcept { return m_policy; }
  [[nodiscard]] std::vector<BadFile> list() const;
  [[nodiscard]] bool contains(const std::string& path) const;

private:
  OnBadFile m_policy;
  mutable std::mutex m_mutex;
  std::vector<BadFile> m_files;
  std::exception_ptr m_firstError;
};

} // namespace kaon::detail
