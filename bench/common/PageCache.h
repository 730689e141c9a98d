#pragma once

#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace bench {

/// Removes a file from the system's page cache, so that the next reader waits for the disk.
inline void dropFromPageCache(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  ::fdatasync(file); // the system keeps bytes that are not on the disk
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

} // namespace bench
