#include <kaon/io/SpillFile.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace kaon::io {

SpillFile::SpillFile(std::string directory)
    : m_directory(std::move(directory)), m_name(m_directory + ": a temporary file there") {}

std::uint64_t SpillFile::append(std::span<const std::byte> bytes) {
  if (!m_file.isOpen())
    m_file = FileDescriptor::openUnnamed(m_directory);
  if (!m_file.isOpen())
    failWithErrno(m_name, "cannot create");
  const std::uint64_t position = m_size;
  writeAll(m_file.number(), bytes, m_name);
  m_size += bytes.size();
  return position;
}

void SpillFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  if (readAt(m_file, position, bytes, m_name) < bytes.size())
    fail(ErrorKind::io, m_name, ": is shorter than the data written to it");
}

void SpillFile::rewrite(std::uint64_t position, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t count =
        ::pwrite(m_file.number(), bytes.data(), bytes.size(), static_cast<::off_t>(position));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      failWithErrno(m_name, "cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    position += static_cast<std::uint64_t>(count);
  }
}

void SpillFile::shrink(std::uint64_t size) {
  if (!m_file.isOpen() || size >= m_size)
    return;
  if (!resize(m_file, size) || ::lseek(m_file.number(), static_cast<::off_t>(size), SEEK_SET) < 0)
    failWithErrno(m_name, "cannot shorten");
  m_size = size;
}

} // namespace kaon::io
