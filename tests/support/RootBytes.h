#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The bytes of small ROOT files, assembled by hand.

namespace kaon::test {

/// Returns a big-endian number, as in a file.
template <class T>
std::string bigEndian(T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  std::ranges::reverse(bytes);
  return {bytes.data(), bytes.size()};
}

/// Returns a string after its length.
inline std::string rootString(std::string_view text) {
  const std::string size = text.size() < 255
                               ? bigEndian(static_cast<std::uint8_t>(text.size()))
                               : '\xff' + bigEndian(static_cast<std::uint32_t>(text.size()));
  return size + std::string(text);
}

struct RootKey {
  std::string className, name;
  std::uint64_t position = 0;
  std::uint64_t folder = 100;
  std::uint32_t storedBytes = 0; ///< of the payload
  std::uint32_t objectBytes = 0;
  std::uint16_t cycle = 1;
  bool isWide = false;
};

/// Returns a key in either form.
inline std::string bytesOf(const RootKey& key) {
  const auto place = [&](std::uint64_t value) {
    return key.isWide ? bigEndian(value) : bigEndian(static_cast<std::uint32_t>(value));
  };
  const std::string rest = place(key.position) + place(key.folder) + rootString(key.className) +
                           rootString(key.name) + rootString("");
  const auto keyBytes = static_cast<std::uint16_t>(18 + rest.size());
  return bigEndian(keyBytes + key.storedBytes) +
         bigEndian(static_cast<std::uint16_t>(key.isWide ? 1004 : 4)) + bigEndian(key.objectBytes) +
         bigEndian(std::uint32_t{0}) + bigEndian(keyBytes) + bigEndian(key.cycle) + rest;
}

/// Assembles a file: objects, then folders, which list the objects added so far.
class RootFileBytes {
public:
  /// `isWide`: all positions have eight bytes.
  explicit RootFileBytes(bool isWide = false) : m_isWide(isWide), m_bytes(begin, '\0') {
    m_bytes += rootKey() + nameOfRoot() + std::string(folderBytes, '\0');
  }

  static constexpr std::uint64_t begin = 100; ///< of the root folder

  /// Adds a record and returns its key, for a folder to list.
  RootKey add(std::string_view className, std::string_view name, std::string_view payload,
              std::uint32_t objectBytes = 0, std::uint16_t cycle = 1) {
    RootKey key{std::string(className),
                std::string(name),
                m_bytes.size(),
                begin,
                static_cast<std::uint32_t>(payload.size()),
                objectBytes > 0 ? objectBytes : static_cast<std::uint32_t>(payload.size()),
                cycle,
                m_isWide};
    m_bytes += bytesOf(key);
    m_bytes += payload;
    return key;
  }
  /// Adds a folder that lists these keys, and returns its key.
  RootKey addFolder(std::string_view name, const std::vector<RootKey>& keys) {
    const auto [position, size] = addKeys(keys);
    return add("TDirectory", name, folder(position, size));
  }
  /// Returns the position of a list of keys, and its number of bytes.
  std::pair<std::uint64_t, std::uint32_t> addKeys(const std::vector<RootKey>& keys) {
    std::string payload = bigEndian(static_cast<std::uint32_t>(keys.size()));
    for (const RootKey& key : keys)
      payload += bytesOf(key);
    const RootKey own = add("TFile", "", payload);
    return {own.position, static_cast<std::uint32_t>(m_bytes.size() - own.position)};
  }
  /// Returns the description of a folder.
  [[nodiscard]] std::string folder(std::uint64_t keys, std::uint32_t keysBytes) const {
    std::string text = bigEndian(static_cast<std::uint16_t>(m_isWide ? 1005 : 5)) +
                       std::string(8, '\0') + bigEndian(keysBytes) + std::string(4, '\0') +
                       place(0) + place(0) + place(keys);
    text.resize(folderBytes);
    return text;
  }
  /// Returns the whole file, whose root folder lists these keys.
  [[nodiscard]] std::string finish(const std::vector<RootKey>& keys) {
    const auto [position, size] = addKeys(keys);
    return withRoot(position, size);
  }
  /// Returns the whole file without a list of keys.
  [[nodiscard]] std::string abandon() { return withRoot(0, 0); }

private:
  static constexpr std::size_t folderBytes = 72;

  [[nodiscard]] std::string place(std::uint64_t value) const {
    return m_isWide ? bigEndian(value) : bigEndian(static_cast<std::uint32_t>(value));
  }
  [[nodiscard]] static std::string nameOfRoot() { return rootString("f.root") + rootString(""); }
  [[nodiscard]] std::string rootKey() const {
    return bytesOf({"TFile", "f.root", begin, 0,
                    static_cast<std::uint32_t>(nameOfRoot().size() + folderBytes), 0, 1, m_isWide});
  }
  [[nodiscard]] std::string withRoot(std::uint64_t keys, std::uint32_t keysBytes) const {
    const auto nameBytes = static_cast<std::uint32_t>(rootKey().size() + nameOfRoot().size());
    std::string header = "root" + bigEndian(std::uint32_t{m_isWide ? 1'064'000U : 64'000U}) +
                         bigEndian(static_cast<std::uint32_t>(begin)) + place(m_bytes.size()) +
                         place(0) + std::string(8, '\0') + bigEndian(nameBytes) +
                         std::string(5, '\0') + place(0) + std::string(4, '\0');
    std::string bytes = m_bytes;
    bytes.replace(0, header.size(), header);
    return bytes.replace(begin + nameBytes, folderBytes, folder(keys, keysBytes));
  }

  bool m_isWide;
  std::string m_bytes;
};

} // namespace kaon::test
