#pragma once

#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/container/RootFileHeader.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>

namespace kaon::root {

/// The most levels of nested folders, including the root folder.
inline constexpr std::size_t mostFolderLevels = 64;
/// The longest path of a folder in bytes. All paths in it begin with this path.
inline constexpr std::size_t mostFolderPath = 4096;

/// Reads the folders of a file level by level, with two requests per level. `root` is the header of
/// the root folder. Throws Error(corrupt) for folders that contain themselves.
[[nodiscard]] Listing readFolders(const io::ByteSource& bytes, const RootFileHeader& header,
                                  const FolderHeader& root);

} // namespace kaon::root
