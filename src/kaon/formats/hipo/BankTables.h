#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/HipoDictionary.h>
#include <kaon/formats/hipo/Payload.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace kaon::hipo {

/// How structures of one group and item become rows.
struct RowForm {
  enum class Kind : std::uint8_t {
    bank,      ///< consecutive columns
    composite, ///< consecutive rows
    numbers,   ///< one column
    text       ///< each structure is a string
  };
  Kind kind = Kind::bank;
  std::uint32_t key = 0;
  std::uint8_t type = 0;      ///< required type of structures; 0 for any
  std::uint32_t rowBytes = 1; ///< as stored in structures
  /// For each member, the bytes before it in a row.
  std::vector<std::uint32_t> places;
  std::string format; ///< of composites
};

/// Finds the number of a row form by its key. This must be fast, because it is called for each
/// structure.
class KeyIndex {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit KeyIndex(const std::vector<RowForm>& forms = {});
  [[nodiscard]] std::uint32_t find(std::uint32_t key) const noexcept {
    std::size_t place = placeOf(key);
    while (m_slots[place].number != none && m_slots[place].key != key)
      place = (place + 1) & (m_slots.size() - 1);
    return m_slots[place].number;
  }

private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t number = none;
  };
  [[nodiscard]] std::size_t placeOf(std::uint32_t key) const noexcept {
    return ((key * 0x9E3779B1U) >> 16) & (m_slots.size() - 1);
  }
  std::vector<Slot> m_slots; // their number is a power of two
};

/// The source of the rows of a table.
struct BankOrigin {
  enum class Kind : std::uint8_t { tag, mask, rows, characters };
  Kind kind = Kind::rows;
  std::uint32_t form = 0;
};

/// Maps a file's events to tables:
///
///   the tag and the mask of an event   values `tag`, `mask`
///   a bank                             a collection of its name
///   a composite                        a collection such as `composite_40_7`, members `c0`, `c1`
///   numbers, "a node"                  a parameter such as `node_20_3`
///   a text                             a parameter of strings such as `node_20_3`
///
/// The dictionary describes banks. Other structures describe themselves; addStructures() finds
/// them.
class BankTables {
public:
  explicit BankTables(const HipoDictionary& dictionary);

  /// Adds tables for structures that the dictionary does not describe.
  void addStructures(const Payload& payload);

  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] const std::vector<Unreadable>& unreadable() const noexcept { return m_unreadable; }
  [[nodiscard]] const std::vector<RowForm>& forms() const noexcept { return m_forms; }
  [[nodiscard]] const KeyIndex& keys() const noexcept { return m_keys; }
  /// Whether structures of this key, which has no form, are listed as unreadable.
  [[nodiscard]] bool isRefused(std::uint32_t key) const { return m_known.contains(key); }
  [[nodiscard]] const BankOrigin& origin(std::uint32_t table) const noexcept {
    return m_origins[table];
  }

private:
  bool add(TableDefinition table, BankOrigin origin, std::string_view type);
  void addBank(const BankDescription& bank);
  void addForm(RowForm form, TableDefinition table, std::string_view type);
  void addStructure(const Structure& structure);
  void addNumbers(const Structure& structure, const std::string& name, Scalar type);
  void addText(const Structure& structure, const std::string& name);
  void addComposite(const Structure& structure, const std::string& name);
  void refuse(std::uint32_t key, std::string name, std::string type, std::string reason);

  Schema m_schema;
  std::vector<BankOrigin> m_origins; // by table
  std::vector<RowForm> m_forms;
  KeyIndex m_keys;
  std::unordered_set<std::uint32_t> m_known; // keys, including those of unreadable structures
  std::vector<Unreadable> m_unreadable;
};

} // namespace kaon::hipo
