#include <kaon/base/Wording.h>

#include <gtest/gtest.h>

namespace kaon {
namespace {

TEST(Wording, countsInWords) {
  EXPECT_EQ(counted(1, "value"), "1 value");
  EXPECT_EQ(counted(0U, "value"), "0 values");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
}

TEST(Wording, hasTheArticleOfAType) {
  EXPECT_EQ(withArticle("int32"), "an int32");
  EXPECT_EQ(withArticle("edm4hep::Track"), "an edm4hep::Track");
  EXPECT_EQ(withArticle("uint32"), "a uint32"); // as it is spoken
  EXPECT_EQ(withArticle("float32"), "a float32");
}

} // namespace
} // namespace kaon
