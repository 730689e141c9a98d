#include <kaon/base/Error.h>

#include <gtest/gtest.h>

#include <string>

namespace kaon {
namespace {

TEST(Error, saysItsPartsOneAfterAnother) {
  try {
    fail(ErrorKind::name, "there is no '", std::string("x"), "' among ", 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::name);
    EXPECT_STREQ(error.what(), "there is no 'x' among 3");
  }
}

TEST(Error, escapesControlCharactersOfNames) {
  const Error error(ErrorKind::name, "there is no 'x\x1b[2J'");
  EXPECT_STREQ(error.what(), "there is no 'x\\x1b[2J'");
}

TEST(Error, isARuntimeError) { EXPECT_THROW(fail(ErrorKind::io, "disk"), std::runtime_error); }

} // namespace
} // namespace kaon
