#pragma once

#include <kaon/formats/root/ntuple/Anchor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaon::root {

/// The types of values in pages. The values are those in files.
enum class ColumnType : std::uint16_t {
  Bit,
  Byte,
  Char,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Real16,
  Real32,
  Real64,
  Index32,
  Index64,
  Switch,
  SplitInt16,
  SplitUInt16,
  SplitInt32,
  SplitUInt32,
  SplitInt64,
  SplitUInt64,
  SplitReal16,
  SplitReal32,
  SplitReal64,
  SplitIndex32,
  SplitIndex64,
  Real32Trunc,
  Real32Quant
};
inline constexpr std::size_t columnTypes = 30;

/// A column as it is stored.
struct StoredColumn {
  ColumnType type = ColumnType::Bit; ///< may be a number that is none
  std::uint16_t bits = 0;
  std::uint16_t representation = 0;
  std::uint32_t field = 0;
  bool isDeferred = false;  ///< it came later than the first entries, which lack it
  double low = 0, high = 0; ///< the range of Real32Quant
};

/// What a field is, apart from its type. The values are those in files.
enum class FieldRole : std::uint16_t { plain, collection, record, variant, streamed };

struct Field {
  FieldRole role = FieldRole::plain; ///< may be a number that is none
  std::uint32_t parent = 0;          ///< its own number at the top
  std::string name, typeName, description;
  std::string typeAlias; ///< what a program calls the type; not read
  std::uint32_t classVersion = 0;
  std::optional<std::uint32_t> classChecksum; ///< of the members that ROOT knows the class by
  std::uint64_t arraySize = 0;                ///< 0 where it is no array
  bool isProjected = false;
  std::uint32_t source = 0; ///< of a projected field
  bool isSoa = false;       ///< lies in a way that is not read
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> columns; ///< numbers of stored columns, those of projected fields too
};

/// Where a page list lies, and of how many clusters.
struct ClusterGroup {
  std::uint32_t clusters = 0;
  EnvelopeLink pageList;
};

/// What the header and the footer of an RNTuple say.
struct Descriptor {
  std::uint64_t maxKeySize = 0;
  std::uint64_t headerChecksum = 0; ///< by which page lists name the header
  std::vector<Field> fields;
  std::vector<std::uint32_t> topFields;
  std::vector<StoredColumn> columns;
  std::vector<ClusterGroup> groups;
};

/// Reads both, in one request if they are small. `where` is for messages: "f.root:Events". Throws
/// Error(corrupt), Error(version).
[[nodiscard]] Descriptor readDescriptor(const Container& container, const Anchor& anchor,
                                        const std::string& where);

} // namespace kaon::root
