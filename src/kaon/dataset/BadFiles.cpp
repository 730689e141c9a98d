#include <kaon/dataset/BadFiles.h>

#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>

#include <algorithm>

namespace kaon::detail {
namespace {

/// Whether an error is about a file, and not about the call or the machine.
bool isOfFile(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::io:
  case ErrorKind::missing:
  case ErrorKind::corrupt:
  case ErrorKind::version:
  case ErrorKind::name:
    return true;
  case ErrorKind::type:
  case ErrorKind::usage:
  case ErrorKind::memory:
    return false;
  }
  return false;
}

} // namespace

void BadFiles::add(const std::string& path, const Error& error,
                   std::optional<std::uint64_t> entries) {
  if (m_policy == OnBadFile::raise || !isOfFile(error.kind()))
    throw;
  {
    const std::lock_guard lock(m_mutex);
    if (std::ranges::find(m_files, path, &BadFile::path) != m_files.end())
      return;
    m_files.push_back({path, error.what(), entries});
    if (!m_firstError)
      m_firstError = std::current_exception();
  }
  if (m_policy == OnBadFile::skip)
    warn(WarningKind::badFile,
         std::string(error.what()) + "; the file is left out" +
             (entries ? ", with " + counted(*entries, "entry", "entries") : std::string()));
}

void BadFiles::throwFirst() const {
  const std::lock_guard lock(m_mutex);
  std::rethrow_exception(m_firstError);
}

std::vector<BadFile> BadFiles::list() const {
  const std::lock_guard lock(m_mutex);
  return m_files;
}

bool BadFiles::contains(const std::string& path) const {
  const std::lock_guard lock(m_mutex);
  return std::ranges::find(m_files, path, &BadFile::path) != m_files.end();
}

} // namespace kaon::detail
