#include <kaon/formats/sio/RecordWriter.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

namespace kaon::sio {
namespace {

// Bytes that do not shrink become more: the record's header has 32 bits for how many.
TEST(BlockWriter, refusesBlocksThatWouldGrowBeyondARecord) {
  BlockWriter blocks("f.sio: an event");
  blocks.beginBlock("Hits", 0);
  (void)blocks.room((std::size_t{4} << 30) - (std::size_t{1} << 20)); // of which nothing is touched
  test::expectError(ErrorKind::usage, "f.sio: an event is larger than the 4 GiB",
                    [&] { blocks.endBlock(); });
}

} // namespace
} // namespace kaon::sio
