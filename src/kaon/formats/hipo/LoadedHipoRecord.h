#pragma once

#include <kaon/formats/hipo/HipoContents.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The rows of a structure in an event.
struct StructureRows {
  std::uint32_t event = 0; ///< in the record
  std::uint32_t begin = 0; ///< where its data begin in the payload
  std::uint32_t rows = 0;
};

/// A decompressed record, and the places of rows of some forms in it. For one thread.
class LoadedHipoRecord {
public:
  explicit LoadedHipoRecord(const HipoContents& contents)
      : m_contents(contents), m_forms(contents.tables().forms().size()) {}

  static constexpr std::size_t none = ~std::size_t{0};
  /// Its number in the container, or none.
  [[nodiscard]] std::size_t number() const noexcept { return m_number; }

  /// Forgets which forms are requested.
  void clearWanted() noexcept;
  /// Requests a form in addition to others.
  void want(std::uint32_t form);
  /// Loads at least the first `events` events of a record with these bytes, and finds the requested
  /// forms. Throws Error(corrupt), Error(version).
  void load(std::size_t number, std::size_t events, std::span<const std::byte> bytes);
  /// Whether `events` events of this record are loaded, with all forms requested so far.
  [[nodiscard]] bool has(std::size_t number, std::size_t events) const noexcept {
    return m_number == number && m_isCurrent && m_payload->events >= events;
  }

  /// Call this only after load().
  [[nodiscard]] const std::shared_ptr<const Payload>& payload() const noexcept { return m_payload; }
  /// The pieces of a requested form, by event.
  [[nodiscard]] std::span<const StructureRows> pieces(std::uint32_t form) const noexcept {
    return m_forms[form].pieces;
  }
  /// The first structure without a table that was found, such as "40/7 of type 10 in entry 3", or
  /// "".
  [[nodiscard]] const std::string& stranger() const noexcept { return m_stranger; }

private:
  struct Form {
    bool isWanted = false;
    std::vector<StructureRows> pieces;
  };
  template <bool isSwapped>
  void index();
  void add(std::uint32_t number, std::uint32_t event, const Structure& structure);
  void meetStranger(std::uint32_t event, const Structure& structure);
  [[noreturn]] void failStructure(std::uint32_t event, const RowForm& form,
                                  const Structure& structure) const;
  [[noreturn]] void failEvent(std::size_t event, const std::string& what) const;

  [[nodiscard]] std::shared_ptr<const Payload> decompressed(const HipoRecordHeader& header,
                                                            std::size_t events,
                                                            std::span<const std::byte> bytes,
                                                            const std::string& where) const;

  const HipoContents& m_contents;
  std::size_t m_number = none;
  bool m_isCurrent = false;
  std::shared_ptr<const Payload> m_payload;
  std::vector<Form> m_forms;
  std::vector<std::uint32_t> m_wanted; // numbers
  std::string m_stranger;
};

} // namespace kaon::hipo
