#pragma once

#include <kaon/formats/root/ntuple/NTupleAnchor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaon::root {

/// The types of values in pages. The values are those in files.
enum class NTupleColumnType : std::uint16_t {
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
  NTupleColumnType type = NTupleColumnType::Bit; ///< may be an unknown number
  std::uint16_t bits = 0;
  std::uint16_t representation = 0;
  std::uint32_t field = 0;
  bool isDeferred = false;  ///< whether it was added later, so that the first entries lack it
  double low = 0, high = 0; ///< the range of Real32Quant
};

/// The structure of a field. The values are those in files.
enum class FieldRole : std::uint16_t { plain, collection, record, variant, streamed };

struct NTupleField {
  FieldRole role = FieldRole::plain; ///< may be an unknown number
  std::uint32_t parent = 0;          ///< its own number for top-level fields
  std::string name, typeName, description;
  std::string typeAlias; ///< the type's name in the writing program; not read
  std::uint32_t classVersion = 0;
  /// ROOT recognises the class by this checksum of its members.
  std::optional<std::uint32_t> classChecksum;
  std::uint64_t arraySize = 0; ///< 0 if it is not an array
  bool isProjected = false;
  std::uint32_t source = 0; ///< of a projected field
  bool isSoa = false; ///< a collection stored as arrays of its members, which kaon does not read
  std::vector<std::uint32_t> children;
  /// Numbers of stored columns, including those of projected fields.
  std::vector<std::uint32_t> columns;
};

/// The place of a page list, and the number of its clusters.
struct ClusterGroup {
  std::uint32_t clusters = 0;
  EnvelopeLink pageList;
};

/// The contents of the header and the footer of an RNTuple.
struct NTupleDescriptor {
  std::uint64_t maxKeySize = 0;
  std::uint64_t headerChecksum = 0; ///< page lists store it to refer to the header
  std::vector<NTupleField> fields;
  std::vector<std::uint32_t> topFields;
  std::vector<StoredColumn> columns;
  std::vector<ClusterGroup> groups;
};

/// Reads header and footer, in one request if they are small. `where` is for messages:
/// "f.root:Events". Throws Error(corrupt), Error(version).
[[nodiscard]] NTupleDescriptor readDescriptor(const RootContainer& container,
                                              const NTupleAnchor& anchor, const std::string& where);

} // namespace kaon::root
