#pragma once

#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/PointerTargets.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/formats/sio/lcio/ObjectPlan.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// The beginning of the block of a collection.
struct BlockHead {
  std::uint32_t flag = 0;                   ///< As the current version means it.
  std::vector<std::string_view> algorithms; ///< vertices refer to them by numbers
  [[nodiscard]] bool isSubset() const noexcept { return (flag & subsetFlag) != 0; }
};

/// Reads the beginning of a block of this version: flag and parameters.
[[nodiscard]] BlockHead readHead(BlockReader& in, std::uint32_t version, const LcioLayout& layout);

/// Decodes the objects of a block behind its head, and appends them as those of the next event.
/// Pointers are stored as their numbers in the column `index`.
void decodeObjects(BlockReader& in, const BlockHead& head, std::uint32_t version,
                   const ObjectPlan& plan, UnitColumns& out);
/// Adds the numbers of the objects of a block.
void findNumbers(BlockReader& in, const BlockHead& head, std::uint32_t version,
                 const ObjectPlan& plan, PointerTargets& out);

} // namespace kaon::sio::lcio
