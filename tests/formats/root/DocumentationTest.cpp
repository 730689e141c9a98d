#include <kaon/formats/root/Documentation.h>

#include <gtest/gtest.h>

#include <string>

// Descriptions and units in one text, and their separation.

namespace kaon::root {
namespace {

void expectIn(std::string_view text, std::string_view description, std::string_view unit) {
  const Documentation found = documentationIn(text);
  EXPECT_EQ(found.description, description) << text;
  EXPECT_EQ(found.unit, unit) << text;
}

TEST(Documentation, hasTheUnitAtTheEnd) {
  EXPECT_EQ(textOf("deposited", "GeV"), "deposited [GeV]");
  EXPECT_EQ(textOf("", "GeV"), "[GeV]");
  EXPECT_EQ(textOf("deposited", ""), "deposited");
  for (const char* const unit : {"GeV", "µm", "%", "°", "mm^2", "s^-1", "1/mm", "kg*m^2/s^2",
                                 "V/(m*ns)", "N·m", "0.5*ns", "cm2", "1"}) {
    expectIn(textOf("what it is", unit), "what it is", unit);
    expectIn(textOf("", unit), "", unit);
  }
}

TEST(Documentation, takesNoOtherBracketsForUnits) {
  for (const char* const text :
       {"a bit pattern [0-5]", "in [0,1]", "of x[n]", "see [12]", "in [GeV VV*?]", "[a b]", "[]",
        "in [GeV*]", "in [(GeV]", "in [m^]", "in [((((((((((m))))))))))]", "a]", "[", "pt[GeV]"})
    expectIn(text, text, "");
}

TEST(Documentation, leavesOutInvalidTexts) {
  expectIn("", "", "");
  expectIn(" \t\n", "", "");
  expectIn("  around it\n", "around it", "");
  expectIn("\xFF [GeV]", "", "");
}

} // namespace
} // namespace kaon::root
