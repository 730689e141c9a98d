#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/FileHeader.h>
#include <kaon/formats/root/container/Key.h>
#include <kaon/io/ByteSink.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Returns the name of an object in its folder: "t" for "a/b/t".
[[nodiscard]] inline std::string_view nameInFolder(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

/// Writes a ROOT file (TFile) record by record. The file header and the headers of folders are
/// written last, because they hold positions. For one thread at a time.
class ContainerWriter {
public:
  /// The limit on the size of a record.
  static constexpr std::uint64_t mostRecordBytes = std::uint64_t{1} << 30;

  /// `compression` is stored in the header, for objects that ROOT adds later. Throws Error(usage)
  /// for a sink whose first bytes cannot be rewritten. Throws Error(io).
  ContainerWriter(std::unique_ptr<io::ByteSink> sink, Compression compression);

  [[nodiscard]] io::ByteSink& sink() noexcept { return *m_sink; }
  [[nodiscard]] const io::ByteSink& sink() const noexcept { return *m_sink; }
  /// The position where the next record begins.
  [[nodiscard]] std::uint64_t position() const noexcept { return m_end; }

  /// Writes a record that no folder lists (RBlob), of less than mostRecordBytes. Returns the
  /// position of its payload. Throws Error(io).
  std::uint64_t writeBlob(std::span<const std::byte> payload);
  /// Creates the folders of a path. Returns the size of the key that writeObject() would write now
  /// for an object. Throws Error(io).
  [[nodiscard]] std::uint16_t keyBytesOf(std::string_view className, std::string_view path,
                                         std::string_view title);
  /// Writes an object and lists it in its folder. Creates the folders of its path. Compresses the
  /// payload if that makes it smaller. Throws Error(io).
  void writeObject(std::string_view className, std::string_view path, std::string_view title,
                   std::span<const std::byte> payload, Compression how = uncompressed());
  /// As writeObject(), for the payload of a key of another file. Keeps the size of that key,
  /// because positions in the payload count from its beginning. Throws Error(usage) if it is too
  /// small, which can only be behind the first 2 GB of a file.
  void writeCopy(const Key& original, std::string_view path, std::span<const std::byte> payload,
                 Compression how);
  /// Writes a record with additional bytes in its key. The payload `stored` may be compressed;
  /// decoded it has `objectBytes`. Returns the position of the record. Throws Error(io).
  std::uint64_t writeRecord(std::string_view className, std::string_view name,
                            std::string_view title, std::span<const std::byte> inKey,
                            std::span<const std::byte> stored, std::size_t objectBytes);
  /// Writes the lists of the folders, the record of classes and the headers, then finishes the
  /// sink. `infos` receives the size of the record's key and returns its payload. Throws Error(io).
  void finish(const std::function<Buffer(std::uint16_t keyBytes)>& infos);

private:
  struct Folder {
    std::string path; // "" for the root folder
    std::size_t parent = 0;
    Uuid uuid{};
    std::uint64_t position; // of its record
    std::uint16_t keyBytes = 0;
    std::vector<Key> listed = {};
  };
  [[nodiscard]] Key key(std::string_view className, std::string_view name, std::string_view title,
                        std::size_t payloadBytes) const;
  void writeListed(Key listed, std::size_t folder, std::span<const std::byte> payload,
                   Compression how);
  [[nodiscard]] std::size_t folderAt(std::string_view path);
  void write(const Key& key, std::span<const std::byte> payload);
  void put(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t writeFreeList();
  [[nodiscard]] FolderHeader writeKeys(const Folder& folder);
  void putBeginning(BigEndianWriter& writer, const FileHeader& header,
                    const FolderHeader& folder) const;

  std::unique_ptr<io::ByteSink> m_sink;
  std::string m_title; // the name of the file without its directories
  Compression m_compression;
  std::uint64_t m_end = 0;
  std::vector<Folder> m_folders; // the root folder comes first
};

} // namespace kaon::root
