#include <kaon/base/Utf8.h>

#include <gtest/gtest.h>

#include <string>

namespace {

using kaon::isUtf8;

TEST(Utf8, isAnyText) {
  for (const char* text : {"", "MCParticles", "d\xc3\xa9tecteur", "\xe2\x82\xac",
                           "\xf0\x9f\x8e\x89", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbf", "\xed\x9f\xbf"})
    EXPECT_TRUE(isUtf8(text)) << text;
  EXPECT_TRUE(isUtf8(std::string("a\0b", 3)));
}

TEST(Utf8, excludesCutOverlongAndInvalidCharacters) {
  for (const char* text :
       {"\x80", "\xc3", "a\xc3z", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe2\x82",
        "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    EXPECT_FALSE(isUtf8(text)) << text;
}

} // namespace
