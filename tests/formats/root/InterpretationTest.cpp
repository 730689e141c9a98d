#include <kaon/formats/root/Interpretation.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/tree/Interpretations.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Bytes as users describe them. Python's tests read all columns of the file that ROOT wrote.

namespace kaon::root {
namespace {

constexpr std::string_view hit =
    R"({"dom_id": "i4", "channel_id": "u1", "time": "<u4", "tot": "u1"})";
constexpr std::string_view status =
    R"({"@header": true, "number": "i2", "@gap": 2, "digits": ["i1", "u2"],
        "halves": ["f4", "number"], "marks": ["u1", 3], "text": "string", "squares": ["f8"]})";

/// An interpretation, for the lifetime of this object.
class Interpreted {
public:
  Interpreted(std::string name, std::string_view description) : m_name(std::move(name)) {
    interpret(m_name, description);
  }
  Interpreted(const Interpreted&) = delete;
  Interpreted& operator=(const Interpreted&) = delete;
  ~Interpreted() { interpret(m_name, ""); }

private:
  std::string m_name;
};

TEST(Interpretation, isReadFromTheFile) {
  const std::string triggered = std::string(hit.substr(0, hit.size() - 1)) +
                                R"(, "@mask": {"@header": true, "trigger_mask": "u8"}})";
  const Interpreted hits("JDAQSnapshotHit", hit), triggers("JDAQTriggeredHit", triggered),
      statuses("Status", status);
  const auto file = openRootFile(io::fileSource(test::dataFile("root/ttree_streamed.root")), {});
  for (const char* const name : {"whole", "KM3NET_EVENT"}) {
    const Source& tree = file->category(name);
    EXPECT_TRUE(tree.unreadable().empty()) << name;
    test::RowsAsJson rows(tree);
    const nlohmann::json event = rows.entry(tree.schema().tableNamed("event"), 3);
    EXPECT_EQ(event["triggeredHits"][0]["trigger_mask"], std::uint64_t{1} << 43) << name;
    EXPECT_EQ(event["snapshotHits"][2]["time"], 32'000'005) << name;
    EXPECT_EQ(event["frames"][1]["buffer"].size(), 4U) << name;
  }
}

/// Decodes an entry of described bytes.
void decode(const ShapePart& described, std::string_view bytes) {
  ShapePart part = described;
  PartBudget budget(1000);
  std::uint32_t outputs = 0;
  numberOutputs(part.shape, outputs, budget);
  ShapeDecoder stream(part);
  BigEndianReader reader(std::as_bytes(std::span(bytes)), "f.root");
  stream.decode(reader, bytes.size(), 1);
}

TEST(Interpretation, checksSizesOfTheBytes) {
  using namespace std::string_view_literals;
  struct Case {
    std::string_view description, bytes, message;
  };
  for (const auto& [description, bytes, message] :
       {Case{R"({"x": ["u1", "u4"]})", "\xff\xff\xff\xff\1"sv, "more elements than bytes"},
        Case{R"({"x": ["u1", "i4"]})", "\xff\xff\xff\xff\1"sv, "negative or too large"},
        Case{R"({"x": ["u1", "u8"]})", "\1\0\0\0\0\0\0\0\1"sv, "negative or too large"},
        Case{R"({"n": "i1", "x": ["u1", "n"]})", "\xff\1"sv, "has no counter 'n'"},
        Case{R"({"n": "u1", "x": ["u4", "n"]})", "\2\0\0\0\1"sv, "fewer bytes than numbers"},
        Case{R"({"x": ["u2"]})", "\0\1\2"sv, "fewer bytes"},
        Case{R"({"x": "u1"})", "\1\2"sv, "the size of the entry does not match its type"},
        Case{R"({"@header": true, "x": "u1"})", "\0\0\0\3\0\1\2"sv, "has no header"},
        Case{R"({"@header": true, "x": "u1"})", "\x40\0\0\4\0\1\2\3"sv, "another length"},
        Case{R"({"@header": true, "x": "u1"})", "\x40\0\0\x40\0\1\2"sv, "another length"}})
    test::expectError(ErrorKind::corrupt, std::string(message),
                      [&] { decode(interpretedPart("X", description), bytes); });
  EXPECT_NO_THROW(
      decode(interpretedPart("X", R"({"x": ["u1", "u2"], "y": ["u4"]})"), "\0\2\1\2\0\0\0\1"sv));
}

TEST(Interpretation, readsOrRefusesAnyBytes) {
  test::Random random(11);
  constexpr int trials = test::isSanitized ? 2'000 : 20'000;
  const std::vector<ShapePart> parts{
      interpretedPart("X", status),
      interpretedPart("X", R"({"n": "u1", "x": [{"m": "u1", "y": [["i2", "u1"], "m"]}, "n"],
                                "@b": {"@header": true, "z": [{"t": "string"}]}, "w": ["<f8"]})")};
  int refused = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::string bytes(random.below(60), '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random.below(random.below(2) == 0 ? 4 : 256));
    try {
      decode(parts[static_cast<std::size_t>(trial % 2)], bytes);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, trials / 4);
}

TEST(Interpretation, isAnyTextOrRefused) {
  test::Random random(12);
  constexpr int trials = test::isSanitized ? 2'000 : 20'000;
  int refused = 0;
  for (int trial = 0; trial < trials; ++trial)
    try {
      (void)interpretedPart("X", test::withOtherBytes(std::string(status), random, 3));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
      ++refused;
    }
  EXPECT_GT(refused, trials / 2);
}

TEST(Interpretation, readsOrRefusesDamagedFiles) {
  const test::Warnings warnings;
  const Interpreted hits("JDAQSnapshotHit", hit), statuses("Status", status);
  const std::string whole = test::readFile(test::dataFile("root/ttree_streamed.root"));
  test::Random random(13);
  constexpr int trials = test::isSanitized ? 200 : 1000;
  int refused = 0;
  for (int trial = 0; trial < trials; ++trial)
    refused += test::survives(test::withOtherBytes(whole, random, 8)) ? 0 : 1;
  EXPECT_GT(refused, trials / 20);
}

} // namespace
} // namespace kaon::root
