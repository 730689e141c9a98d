#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/FolderUpdate.h>
#include <kaon/formats/root/container/FreeList.h>
#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/container/RootFileHeader.h>
#include <kaon/io/ByteSink.h>

#include <cstdint>
#include <functional>
#include <map>
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
///
/// Records added to an existing file follow its last one. The old bytes stay as they are until
/// finish() has written everything else: the file keeps its old contents if that does not happen.
/// Then the headers of changed folders are replaced, and last the one of the file, with the root
/// folder's. Records that are of no use any more become free bytes, as in ROOT.
class ContainerWriter {
public:
  /// The limit on the size of a record.
  static constexpr std::uint64_t mostRecordBytes = std::uint64_t{1} << 30;

  /// `compression` is stored in the header, for objects that ROOT adds later. Throws Error(usage)
  /// for a sink whose first bytes cannot be rewritten. Throws Error(io).
  ContainerWriter(std::unique_ptr<io::ByteSink> sink, Compression compression);
  /// Adds to a file; `sink` appends to it, and may rewrite it. Throws Error(usage) if the file was
  /// not finished. Throws Error(corrupt), Error(io).
  ContainerWriter(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const RootContainer> old,
                  Compression compression);

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
  /// payload if that makes it smaller. The object becomes the newest cycle of its path. Throws
  /// Error(io).
  void writeObject(std::string_view className, std::string_view path, std::string_view title,
                   std::span<const std::byte> payload, Compression how = uncompressed());
  /// As writeObject(), for the payload of a key of another file. Keeps the size of that key,
  /// because positions in the payload count from its beginning. Throws Error(usage) if it is too
  /// small, which can only be behind the first 2 GB of a file.
  void writeCopy(const RecordKey& original, std::string_view path,
                 std::span<const std::byte> payload, Compression how);
  /// Lets the next object at this path replace the newest one of the file, if it has one.
  void replaceNext(std::string_view path) { m_replacing = path; }
  /// Writes a record with additional bytes in its key. The payload `stored` may be compressed;
  /// decoded it has `objectBytes`. Returns the position of the record. Throws Error(io).
  std::uint64_t writeRecord(std::string_view className, std::string_view name,
                            std::string_view title, std::span<const std::byte> inKey,
                            std::span<const std::byte> stored, std::size_t objectBytes);
  /// Writes the lists of the folders, the record of classes and the headers, then finishes the
  /// sink. `infos` receives the size of the record's key and returns its payload, or nothing if the
  /// file has all classes already. Throws Error(io).
  void finish(const std::function<Buffer(std::uint16_t keyBytes)>& infos);

private:
  struct Folder {
    std::string path; // "" for the root folder
    std::size_t parent = 0;
    std::uint64_t position = 0; // of its record
    std::uint64_t keyBytes = 0; // from there to its header
    Uuid uuid{};
    const ListedFolder* stored = nullptr; // if the file had it before
    std::vector<AddedKey> added = {};
  };
  /// Bytes that replace others.
  struct Change {
    std::uint64_t position = 0;
    Buffer bytes;
  };
  [[nodiscard]] RecordKey key(std::string_view className, std::string_view name,
                              std::string_view title, std::size_t payloadBytes) const;
  void writeListed(RecordKey listed, std::string_view path, std::span<const std::byte> payload,
                   Compression how);
  void addFolder(Folder folder);
  [[nodiscard]] std::size_t folderAt(std::string_view path);
  void write(const RecordKey& key, std::span<const std::byte> payload);
  void put(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t endOfOld() const;
  void release(std::uint64_t position, std::uint64_t bytes);
  [[nodiscard]] Change writeKeys(const Folder& folder);
  void writeInfos(RootFileHeader& header,
                  const std::function<Buffer(std::uint16_t keyBytes)>& infos);
  void writeFreeList(RootFileHeader& header);
  void putBeginning(const RootFileHeader& header, std::span<const std::byte> rootHeader,
                    BigEndianWriter& writer) const;
  void markFreed();

  std::unique_ptr<io::ByteSink> m_sink;
  std::shared_ptr<const RootContainer> m_old;               // null for a new file
  std::map<std::string_view, const ListedObject*> m_newest; // objects of the old file by path
  std::string m_title; // the name of the file without its directories
  Compression m_compression;
  std::uint64_t m_end = 0;
  RootFileHeader m_header;
  Buffer m_rootRecord;           // the beginning of the root folder's record, before its header
  std::vector<Folder> m_folders; // the root folder comes first
  std::map<std::string, std::size_t, std::less<>> m_folderNumbers;
  std::string m_replacing; // the path of the object that the next one replaces
  FreeList m_free;
  std::vector<std::uint64_t> m_freed; // positions of records that became free
};

} // namespace kaon::root
