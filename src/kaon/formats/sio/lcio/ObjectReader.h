#pragma once

#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/ObjectNumbers.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/formats/sio/lcio/ObjectPlan.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// What the block of a collection begins with.
struct BlockHead {
  std::uint32_t flag = 0;
  std::vector<std::string_view> algorithms; ///< which vertices name by numbers
  [[nodiscard]] bool isSubset() const noexcept { return (flag & subsetFlag) != 0; }
};

/// Reads the head of a block of this version, flag and parameters.
[[nodiscard]] BlockHead readHead(BlockReader& in, std::uint32_t version);

/// Decodes the objects of a block behind its head, as those of the next event. Pointers become the
/// numbers that they are, in the column `index`.
void decodeObjects(BlockReader& in, const BlockHead& head, std::uint32_t version,
                   const ObjectPlan& plan, UnitColumns& out);
/// Adds the numbers that the objects of a block have.
void findNumbers(BlockReader& in, const BlockHead& head, std::uint32_t version,
                 const ObjectPlan& plan, ObjectNumbers& out);

} // namespace kaon::sio::lcio
