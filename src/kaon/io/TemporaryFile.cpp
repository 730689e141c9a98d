#include <kaon/io/TemporaryFile.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace kaon::io {

void TemporaryFile::write(std::span<const std::byte> bytes) {
  if (!m_descriptor.isOpen()) {
    std::error_code refusal;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(refusal);
    if (refusal)
      fail(ErrorKind::io, "there is no folder for temporary files: ", refusal.message(),
           "; set TMPDIR to one that can be written to");
    m_name = "a temporary file in " + folder.string();
    m_descriptor = Descriptor::unnamed(folder.string());
    if (!m_descriptor.isOpen())
      failWithErrno(m_name, "cannot open; set TMPDIR to a folder that can be written to");
  }
  try {
    writeAll(m_descriptor.number(), bytes, m_name);
  } catch (const Error& error) {
    fail(error.kind(), error.what(), "; set TMPDIR to a folder with more room");
  }
  m_size += bytes.size();
}

void TemporaryFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ::ssize_t count =
        ::pread(m_descriptor.number(), bytes.data(), bytes.size(), static_cast<::off_t>(position));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      failWithErrno(m_name, "cannot read");
    if (count == 0)
      fail(ErrorKind::io, m_name, ": is shorter than what was written to it");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    position += static_cast<std::uint64_t>(count);
  }
}

} // namespace kaon::io
