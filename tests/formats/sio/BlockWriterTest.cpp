#include <kaon/formats/sio/BlockWriter.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

namespace kaon::sio {
namespace {

// Incompressible bytes grow, but the header of a record states their number in 32 bits.
TEST(BlockWriter, refusesBlocksThatWouldGrowBeyondARecord) {
  BlockWriter blocks("f.sio: an event");
  blocks.beginBlock("Hits", 0);
  (void)blocks.room((std::size_t{4} << 30) - (std::size_t{1} << 20)); // memory that nobody touches
  test::expectError(ErrorKind::usage, "f.sio: an event is larger than the 4 GiB",
                    [&] { blocks.endBlock(); });
}

} // namespace
} // namespace kaon::sio
