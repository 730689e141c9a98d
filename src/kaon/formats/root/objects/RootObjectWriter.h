#pragma once

#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/ObjectHeader.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace kaon::root {

/// Writes serialised objects in the form that RootObjectReader.h reads: numbers, and objects in
/// frames with length and version. For one thread at a time.
class RootObjectWriter : public BigEndianWriter {
public:
  /// `keyBytes` is the size of the key before the payload. ROOT counts positions from the key's
  /// beginning.
  explicit RootObjectWriter(std::size_t keyBytes) : m_keyBytes(keyBytes) {}

  /// Writes a frame with a class's version; `write` writes its contents.
  template <class Write>
  void frame(std::uint16_t version, Write write) {
    const std::size_t begin = openFrame();
    put(version);
    write();
    closeFrame(begin);
  }

  /// Writes an object behind a pointer: its class, and the frame that `write` writes. Returns the
  /// number that later pointers use for the object.
  template <class Write>
  std::uint32_t pointTo(std::string_view className, Write write) {
    const std::size_t begin = openFrame();
    const std::uint32_t number = numberAt(begin);
    putClass(className);
    write();
    closeFrame(begin);
    return number;
  }
  /// Writes a pointer to an object that was written before.
  void pointAgain(std::uint32_t number) { put(number); }
  void putNull() { put(std::uint32_t{0}); }

  /// Writes a TObject, which has no frame.
  void putObject(std::uint32_t bits = 0, std::uint32_t uniqueId = 0) {
    put(std::uint16_t{1}); // the version
    put(uniqueId);
    put(bits);
  }
  /// Writes native numbers of `size` bytes each.
  void putNumbers(std::size_t size, std::span<const std::byte> numbers);
  void putNamed(std::string_view name, std::string_view title, std::uint32_t bits = 0);

private:
  [[nodiscard]] std::uint32_t numberAt(std::size_t position) const noexcept {
    constexpr std::uint32_t firstNumber = 2;
    return static_cast<std::uint32_t>(m_keyBytes + position) + firstNumber;
  }
  std::size_t openFrame() {
    put(std::uint32_t{0});
    return size() - sizeof(std::uint32_t);
  }
  void closeFrame(std::size_t begin) noexcept {
    const std::size_t bytes = size() - begin - sizeof(std::uint32_t);
    replace(begin, hasByteCount | static_cast<std::uint32_t>(bytes));
  }
  void putClass(std::string_view className);

  std::size_t m_keyBytes;
  // The numbers that stand for classes.
  std::map<std::string, std::uint32_t, std::less<>> m_classes;
};

} // namespace kaon::root
