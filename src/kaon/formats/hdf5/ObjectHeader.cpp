#include <kaon/formats/hdf5/ObjectHeader.h>

#include <kaon/base/Bytes.h>

#include <array>
#include <cstring>
#include <span>
#include <utility>

// A header is messages, in one piece or in several, of which a message of the piece before says
// where they are:
//
//   version 1   u8 1, u8, u16 messages, u32, u32 bytes of the first piece, 4 bytes; the messages:
//               u16 type, u16 bytes, u8 flags, 3 bytes; the message, filled up
//   version 2   "OHDR", u8 2, u8 flags, by these 16 and 4 bytes, 1 to 8 bytes with those of the
//               first piece; the messages: u8 type, u16 bytes, u8 flags, by the header's flags
//               u16; the message. Other pieces begin with "OCHK" and end with a checksum
//   attribute   u8 version, u8, u16 bytes of the name, u16 of its type, u16 of its shape, from
//               version 3 on u8; each of them, in version 1 filled up; the value

namespace kaon::hdf5 {
namespace {

constexpr std::uint8_t attributeType = 0x0C, continuationType = 0x10;
constexpr std::uint8_t isShared = 2; // a flag of messages: it lies elsewhere

struct Piece {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0;
};

class HeaderWalk {
public:
  HeaderWalk(SourceBytes& file, std::string_view name) : m_file(file), m_name(name) {}

  std::optional<std::vector<std::byte>> attribute(std::uint64_t position) {
    if (!begin(position))
      return std::nullopt;
    for (std::size_t piece = 0; piece < m_pieces.size(); ++piece)
      if (!readPiece(m_pieces[piece]) || m_value)
        break;
    return std::move(m_value);
  }

private:
  /// Reads what comes before the first message.
  bool begin(std::uint64_t position) {
    constexpr std::size_t prefixBytes = 16, signatureBytes = 6, timeBytes = 16, limitBytes = 4;
    std::array<std::byte, signatureBytes + timeBytes + limitBytes + 8> prefix{};
    const std::uint64_t size = m_file.size();
    if (position > size || size - position < prefix.size()) // a header has messages behind it
      return false;
    m_file.read(position, prefix, false);
    m_isOld = prefix[0] == std::byte{1};
    if (m_isOld) {
      m_pieces.push_back({position + prefixBytes, loadAs<std::uint32_t>(&prefix[8])});
      return true;
    }
    if (std::memcmp(prefix.data(), "OHDR\2", 5) != 0)
      return false;
    const auto flags = static_cast<std::uint8_t>(prefix[5]);
    m_hasOrder = (flags & 4) != 0;
    std::size_t place = signatureBytes;
    place += (flags & 0x20) != 0 ? timeBytes : 0;
    place += (flags & 0x10) != 0 ? limitBytes : 0;
    const std::size_t sizeBytes = std::size_t{1} << (flags & 3);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &prefix[place], sizeBytes);
    m_pieces.push_back({position + place + sizeBytes, bytes});
    return true;
  }

  /// Goes through the messages of a piece until the attribute is among them. False if it is none.
  bool readPiece(Piece piece) {
    if (piece.bytes >= m_left || piece.position > m_file.size() ||
        piece.bytes > m_file.size() - piece.position)
      return false;
    m_left -= piece.bytes + 1; // pieces of nothing do not go on for ever either
    m_bytes.resize(static_cast<std::size_t>(piece.bytes));
    m_file.read(piece.position, m_bytes, false);
    std::span<const std::byte> rest = m_bytes;
    if (!m_isOld && m_pieces.front().position != piece.position) {
      constexpr std::size_t signatureBytes = 4, checksumBytes = 4;
      if (rest.size() < signatureBytes + checksumBytes ||
          std::memcmp(rest.data(), "OCHK", signatureBytes) != 0)
        return false;
      rest = rest.subspan(signatureBytes, rest.size() - signatureBytes - checksumBytes);
    }
    const std::size_t headBytes = m_isOld ? 8 : m_hasOrder ? 6 : 4;
    while (rest.size() >= headBytes && !m_value) {
      const auto type = m_isOld ? loadAs<std::uint16_t>(rest.data())
                                : static_cast<std::uint16_t>(loadAs<std::uint8_t>(rest.data()));
      const auto bytes = loadAs<std::uint16_t>(&rest[m_isOld ? 2 : 1]);
      const auto flags = loadAs<std::uint8_t>(&rest[m_isOld ? 4 : 3]);
      if (bytes > rest.size() - headBytes)
        return false;
      if ((flags & isShared) == 0)
        take(type, rest.subspan(headBytes, bytes));
      rest = rest.subspan(headBytes + bytes);
    }
    return true;
  }

  void take(std::uint16_t type, std::span<const std::byte> message) {
    if (type == continuationType && message.size() >= sizeof(Piece))
      m_pieces.push_back(
          {loadAs<std::uint64_t>(message.data()), loadAs<std::uint64_t>(&message[8])});
    else if (type == attributeType)
      takeAttribute(message);
  }

  void takeAttribute(std::span<const std::byte> message) {
    constexpr std::size_t headBytes = 8;
    if (message.size() < headBytes + 1)
      return;
    const auto version = loadAs<std::uint8_t>(message.data());
    const auto partBytes = [&](std::size_t part) -> std::size_t { // name, type, shape
      const auto bytes = loadAs<std::uint16_t>(&message[2 + 2 * part]);
      return version == 1 ? (bytes + 7U) / 8 * 8 : bytes;
    };
    const std::size_t begin = headBytes + (version >= 3 ? 1 : 0);
    const std::size_t value = begin + partBytes(0) + partBytes(1) + partBytes(2);
    if (version < 1 || version > 3 || value > message.size())
      return;
    const std::string_view text(reinterpret_cast<const char*>(&message[begin]), partBytes(0));
    if (text.substr(0, text.find('\0')) == m_name)
      m_value.emplace(message.begin() + static_cast<std::ptrdiff_t>(value), message.end());
  }

  SourceBytes& m_file;
  std::string_view m_name;
  bool m_isOld = false;    // version 1
  bool m_hasOrder = false; // messages have their number, too
  std::vector<Piece> m_pieces;
  std::uint64_t m_left = std::uint64_t{16} << 20; // bytes of pieces: whether they go round or not
  std::vector<std::byte> m_bytes;                 // of one of them
  std::optional<std::vector<std::byte>> m_value;
};

} // namespace

std::optional<std::vector<std::byte>> attributeValue(SourceBytes& file, std::uint64_t position,
                                                     std::string_view name) {
  return HeaderWalk(file, name).attribute(position);
}

} // namespace kaon::hdf5
