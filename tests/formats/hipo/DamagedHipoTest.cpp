#include <kaon/formats/hipo/HipoFile.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/DamagedFiles.h"
#include "support/DataFiles.h"
#include "support/Files.h"
#include "support/HipoBytes.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

// Files of all forms, changed at random many times, are read or refused with one clear error.

namespace kaon::hipo {
namespace {

using test::HipoBytes;
using test::HipoForm;

constexpr std::size_t manyTimes = test::isSanitized ? 1'000 : 20'000;

bool survives(std::string_view bytes) {
  return test::survives("f.hipo", [&] {
    return openHipoFile(io::memorySource("f.hipo", std::as_bytes(std::span(bytes))), {});
  });
}

std::string smallFile(const HipoForm& form) {
  const HipoBytes hipo(form);
  const std::string bank = hipo.structure(
      300, 1, 11,
      hipo.numbers(1, 2) + hipo.numbers(std::int8_t{1}, std::int8_t{2}) + hipo.numbers(1.F, 2.F));
  const std::string composite =
      hipo.structure(40, 7, 10, hipo.numbers(std::int8_t{1}, 2.5F, std::int64_t{3}), "bfl");
  const std::string node = hipo.structure(20, 3, 5, hipo.numbers(1.5, 2.5));
  const std::string text = hipo.structure(20, 4, 6, "text");
  return hipo.file(
      {hipo.bank("{Track/300/1}{pid/I,q/B,pt/F}"),
       hipo.event({hipo.structure(32555, 1, 6, "run"), hipo.structure(32555, 2, 6, "5038")})},
      {{{hipo.event({bank, composite}, 7), hipo.event({node, text, bank})}, 7},
       {{hipo.event({bank}), hipo.event({})}, 0}});
}

class DamagedHipo : public testing::TestWithParam<HipoForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, DamagedHipo,
                         testing::Values(HipoForm{}, HipoForm{.type = 1}, HipoForm{.type = 3},
                                         HipoForm{.isFinished = false},
                                         HipoForm{.isBigEndian = true, .type = 1}));

TEST_P(DamagedHipo, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  const std::string whole = smallFile(GetParam());
  ASSERT_TRUE(survives(whole));
  EXPECT_GT(test::refusals(whole, manyTimes, 1, survives), manyTimes / 20);
}

TEST(DamagedHipo, isReadOrRefusedWhereItIsCut) {
  test::Warnings warnings;
  for (const std::uint32_t type : {0U, 1U}) {
    const std::string whole = smallFile({.type = type});
    for (std::size_t size = 0; size < whole.size(); ++size)
      (void)survives(whole.substr(0, size));
  }
}

/// To read one event of a long record, kaon decompresses only the first events. The record states
/// wrong positions for the others.
TEST(DamagedHipo, isRefusedWhereEventsAreSaidToLieFourGigabytesBehindItsRecord) {
  test::Warnings warnings;
  constexpr std::uint32_t events = 33, eventBytes = 24;
  const HipoBytes hipo({.type = 1});
  std::string payload;
  for (std::uint32_t event = 0; event < events; ++event)
    payload += hipo.numbers(eventBytes);
  payload.resize(1'400'000); // a page has 16 of these events
  const HipoBytes::Record all{std::vector<std::string>(events), 0};
  std::string record = hipo.stored(all, payload, events * eventBytes, 1);
  const std::string userBytes = hipo.numbers(0U - 4 * events - 8); // bytes before the events
  record.replace(24, userBytes.size(), userBytes);
  EXPECT_FALSE(survives(hipo.fileOf({hipo.bank("{Track/300/1}{pid/I}")}, {all}, {record})));
}

/// Events state their kinds of structures, and each may have thousands of new kinds.
TEST(DamagedHipo, hasNoMoreTablesThanFilesHave) {
  test::Warnings warnings;
  const HipoBytes hipo;
  std::vector<std::string> structures;
  for (int item = 0; item < 100; ++item)
    for (int group = 0; group < 1000; ++group)
      structures.push_back(hipo.structure(static_cast<std::uint16_t>(group),
                                          static_cast<std::uint8_t>(item), 1, ""));
  const std::string file = hipo.file({}, {{{hipo.event(structures)}, 0}});
  const auto read = openHipoFile(io::memorySource("f.hipo", std::as_bytes(std::span(file))), {});
  EXPECT_LT(read->category("events").schema().size(), 40'000U);
  EXPECT_TRUE(survives(file));
}

/// Records by oxihipo with a stream for each bank or column.
TEST(DamagedHipo, isReadOrRefusedWhereItHasStreams) {
  test::Warnings warnings;
  for (const char* const name : {"real/oxihipo_sample", "real/oxihipo_golden_lz4"}) {
    const auto path = test::sharedFile(std::string("hipo/") + name + ".hipo");
    if (!path)
      GTEST_SKIP() << test::noSharedFiles;
    const std::string whole = test::readFile(*path);
    ASSERT_TRUE(survives(whole));
    EXPECT_GT(test::refusals(whole, manyTimes, 2, survives), manyTimes / 20);
  }
}

} // namespace
} // namespace kaon::hipo
