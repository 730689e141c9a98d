#pragma once

#include <kaon/formats/root/container/FileHeader.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>

namespace kaon::root {

/// In how many levels folders may lie in each other, the file's own being one.
inline constexpr std::size_t mostFolderLevels = 64;
/// How many bytes the path of a folder has at most, which all paths in it begin with.
inline constexpr std::size_t mostFolderPath = 4096;

/// Reads the folders of a file, level by level, in two requests each; `root` is what the root
/// folder says of itself. Throws Error(corrupt) for folders that lie in each other in a circle.
[[nodiscard]] Listing readFolders(const io::ByteSource& bytes, const FileHeader& header,
                                  const FolderHeader& root);

} // namespace kaon::root
