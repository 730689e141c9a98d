#pragma once

#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace bench {

/// Makes the system forget what it has of a file in memory: the next one who reads it waits for the
/// disk.
inline void dropFromPageCache(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  ::fdatasync(file); // what is not on the disk is not forgotten
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

} // namespace bench
