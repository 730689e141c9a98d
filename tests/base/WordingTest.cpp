#include <kaon/base/Indented.h>
#include <kaon/base/Wording.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace kaon {
namespace {

TEST(Wording, countsInWords) {
  EXPECT_EQ(counted(1, "value"), "1 value");
  EXPECT_EQ(counted(0U, "value"), "0 values");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(1'000, "value"), "1,000 values");
}

TEST(Wording, groupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999U), "999");
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(-1'000), "-1,000");
  EXPECT_EQ(grouped(123'456'789), "123,456,789");
  EXPECT_EQ(grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Wording, hasTheArticleOfAType) {
  EXPECT_EQ(withArticle("int32"), "an int32");
  EXPECT_EQ(withArticle("edm4hep::Track"), "an edm4hep::Track");
  EXPECT_EQ(withArticle("uint32"), "a uint32"); // follows the pronunciation
  EXPECT_EQ(withArticle("float32"), "a float32");
}

TEST(Wording, escapesControlCharacters) {
  EXPECT_EQ(escapeControls("a\x1b[2J\tb\x7f"), "a\\x1b[2J\\tb\\x7f");
  EXPECT_EQ(escapeControls("a\xc2\x9b\x32J"), "a\\x9b2J"); // U+009B begins an escape sequence
  EXPECT_EQ(escapeControls("\xc3\x9b and \xc2\xb5"), "\xc3\x9b and \xc2\xb5");
  EXPECT_EQ(escapeControls("\xc2"), "\xc2");
}

TEST(Wording, keepsTheLinesOfMessagesAndEscapesTheLineEndsOfNames) {
  EXPECT_EQ(escapeControls("there is no 'x\nkaon: all is well':\n  x"),
            "there is no 'x\\nkaon: all is well':\n  x");
  EXPECT_EQ(escapeControls(indented("one\n\n two")), "one\n  \n   two");
}

TEST(Wording, escapesMarksOfDirectionAndLineSeparators) {
  EXPECT_EQ(escapeControls("a\u202eb\u2066\u2069"), "a\\u202eb\\u2066\\u2069");
  EXPECT_EQ(escapeControls("\u061c\u200e\u200f\u2028\u2029"),
            "\\u061c\\u200e\\u200f\\u2028\\u2029");
  const std::string others = "\u061b\u200d\u2010\u2027\u202f\u2065\u206a \xe2\x80";
  EXPECT_EQ(escapeControls(others), others);
}

} // namespace
} // namespace kaon
