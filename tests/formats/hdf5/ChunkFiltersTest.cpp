#include <kaon/formats/hdf5/ChunkFilters.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace kaon::hdf5 {
namespace {

TEST(ChunkFilters, giveBackValuesOfAnySize) {
  test::Random random(1);
  ChunkDecoder decoder;
  for (const std::size_t size : {1, 2, 3, 4, 8, 12, 100, 4096, 4097, 70'000})
    for (const std::size_t count : {1, 2, 17}) {
      std::vector<std::byte> values(size * count), decoded(values.size());
      for (std::byte& value : values)
        value = static_cast<std::byte>(random.below(3)); // compressible
      const EncodedChunk chunk = encodeChunk(values, size, 1);
      ASSERT_TRUE(decoder.decode({{ChunkFilter::Kind::shuffle, static_cast<std::uint32_t>(size)},
                                  {ChunkFilter::Kind::deflate}},
                                 chunk.skipped, chunk.bytes.bytes(), decoded));
      EXPECT_EQ(decoded, values) << count << " of " << size << " bytes";
    }
}

} // namespace
} // namespace kaon::hdf5
