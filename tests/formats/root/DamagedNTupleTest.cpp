#include <kaon/formats/root/RootFile.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RootNTuple.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Files with any description are read, or refused with one clear error.

namespace kaon::root {
namespace {

using test::expectError;
using test::ForgedNTuple;
using test::survives;

std::string original() { return test::readFile(test::dataFile("root/rntuple_extended.root")); }

constexpr std::size_t manyTimes = test::isSanitized ? 300 : 3'000;

TEST(DamagedNTuple, isReadOrRefusedWhereItIsCut) {
  test::Warnings warnings;
  const std::string whole = original();
  for (std::size_t size = 0; size < whole.size(); size += 7)
    (void)survives(std::string_view(whole).substr(0, size), {});
}

TEST(DamagedNTuple, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  const std::string whole = original();
  test::Random random(1);
  for (std::size_t i = 0; i < manyTimes; ++i)
    (void)survives(test::withOtherBytes(whole, random), {.verify = i % 2 == 0});
}

TEST(DamagedNTuple, isReadOrRefusedWhereItsDescriptionLies) {
  test::Warnings warnings;
  const ForgedNTuple whole(original(), "ntpl");
  ASSERT_TRUE(survives(whole.bytes(), {}));
  test::Random random(2);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < manyTimes; ++i) {
    ForgedNTuple forged = whole;
    std::string& envelope = forged.envelopes[random.below(forged.envelopes.size())];
    const std::size_t at = 8 + random.below(envelope.size() - 16);
    if (i % 3 == 0) // a nearly correct number
      envelope[at] = static_cast<char>(envelope[at] + (random.below(2) == 0 ? 1 : -1));
    else if (i % 3 == 1)
      envelope[at] = static_cast<char>(random.bits());
    else // another part of the envelope
      envelope.replace(at, 4, envelope.substr(8 + random.below(envelope.size() - 16), 4));
    refused += survives(forged.bytes(), {.verify = false}) ? 0 : 1;
  }
  EXPECT_GT(refused, manyTimes / 4); // the changes reach the decoders
}

TEST(DamagedNTuple, reportsPartsWithWrongChecksums) {
  test::Warnings warnings;
  std::string bytes = original();
  const RootContainer container(io::memorySource("f.root", std::as_bytes(std::span(bytes))));
  const NTupleAnchor anchor = readAnchor(container, container.objects()[0].key);
  const std::string whole = bytes;
  bytes[anchor.footer.place.position + 20] ^= 1;
  EXPECT_FALSE(survives(bytes, {}));
  bytes = whole;
  bytes[container.objects()[0].key.position + container.objects()[0].key.keyBytes + 20] ^= 1;
  expectError(ErrorKind::corrupt, "the anchor of the RNTuple 'ntpl'", [&] {
    (void)openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {})
        ->category("ntpl");
  });
}

TEST(DamagedNTuple, hasPagesWithChecksumsUnlessTheyAreNotWanted) {
  test::Warnings warnings; // some changes are outside pages and give warnings
  const std::string whole = original();
  std::size_t refused = 0, read = 0;
  for (std::size_t at = 200; at < 1'500; at += 13) {
    std::string bytes = whole;
    bytes[at] ^= 1;
    refused += survives(bytes, {.verify = true}) ? 0 : 1;
    read += survives(bytes, {.verify = false}) ? 1 : 0;
  }
  EXPECT_GT(refused, 50U);
  EXPECT_GT(read, 20U);
}

TEST(DamagedNTuple, saysWhichPageIsDamaged) {
  ForgedNTuple forged(original(), "ntpl");
  const std::string whole = forged.bytes();
  std::vector<std::string> messages;
  for (std::size_t at = 200; at < 1'500; ++at) { // these positions include the pages
    std::string bytes = whole;
    bytes[at] ^= 1;
    test::Warnings warnings;
    try {
      test::readAll(openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {})
                        ->category("ntpl"));
    } catch (const Error& error) {
      messages.emplace_back(error.what());
    }
  }
  EXPECT_TRUE(std::ranges::any_of(messages, [](const std::string& message) {
    return message.starts_with("f.root:ntpl: the page of 'i32' (column 0) at byte ") &&
           message.ends_with(", in the cluster of entry 41: does not match its checksum; the file "
                             "is damaged");
  })) << messages.size();
}

TEST(DamagedNTuple, withUnknownFeaturesIsRefusedByName) {
  ForgedNTuple forged(original(), "ntpl");
  forged.envelopes[0][8] = 4;
  const std::string bytes = forged.bytes();
  expectError(ErrorKind::version, "features that kaon does not know", [&] {
    (void)openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {})
        ->category("ntpl");
  });
}

} // namespace
} // namespace kaon::root
