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

/// The name of an object in its folder: "t" of "a/b/t".
[[nodiscard]] inline std::string_view nameInFolder(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

/// Writes a ROOT file (TFile), record after record; the first bytes, which say where things are,
/// and where the keys of folders are, at last. For one thread at a time.
class ContainerWriter {
public:
  /// What is larger is no record of a file.
  static constexpr std::uint64_t mostRecordBytes = std::uint64_t{1} << 30;

  /// `compression` is what the header says, for what ROOT adds. Throws Error(usage) for a sink of
  /// which the first bytes cannot be written again, Error(io).
  ContainerWriter(std::unique_ptr<io::ByteSink> sink, Compression compression);

  [[nodiscard]] io::ByteSink& sink() noexcept { return *m_sink; }
  [[nodiscard]] const io::ByteSink& sink() const noexcept { return *m_sink; }
  /// Where the next record will begin.
  [[nodiscard]] std::uint64_t position() const noexcept { return m_end; }

  /// A record that no folder lists (RBlob), of less than mostRecordBytes. Returns where its payload
  /// begins. Throws Error(io).
  std::uint64_t writeBlob(std::span<const std::byte> payload);
  /// An object that its folder lists, compressed if it shrinks; the folders of its path are made.
  /// Throws Error(io).
  void writeObject(std::string_view className, std::string_view path, std::string_view title,
                   std::span<const std::byte> payload, Compression how = uncompressed());
  /// A record whose key has further bytes and whose payload, of so many bytes decoded, may be
  /// compressed. Returns where it begins. Throws Error(io).
  std::uint64_t writeRecord(std::string_view className, std::string_view name,
                            std::string_view title, std::span<const std::byte> inKey,
                            std::span<const std::byte> stored, std::size_t objectBytes);
  /// What the folders list, the record of classes, of which `putInfos` gets the bytes of its key
  /// and returns the payload, and all that leads to them; then the sink is finished. Throws
  /// Error(io).
  void finish(const std::function<Buffer(std::uint16_t keyBytes)>& infos);

private:
  struct Folder {
    std::string path; // "" of the file's own
    std::size_t parent = 0;
    Uuid uuid{};
    std::uint64_t position; // of its record
    std::uint16_t keyBytes = 0;
    std::vector<Key> listed = {};
  };
  [[nodiscard]] Key key(std::string_view className, std::string_view name, std::string_view title,
                        std::size_t payloadBytes) const;
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
  std::vector<Folder> m_folders; // the file's own before all others
};

} // namespace kaon::root
