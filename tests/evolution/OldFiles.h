#pragma once

#include "support/Files.h"

#include <kaon/event/Reader.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace evo {

/// Files with three events, one per layout, that a program with version 1 of the model wrote.
class OldFiles {
public:
  OldFiles() {
    const std::string command = KAON_EVOLUTION_WRITER " '" + (m_directory / "") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
  [[nodiscard]] kaon::Reader open(const std::string& layout) const {
    return kaon::Reader(m_directory / (layout + ".kaon"));
  }

private:
  kaon::test::TemporaryDirectory m_directory;
};

/// A test with these files, which are written once per test suite.
template <class Parameter>
class OldFilesTest : public testing::TestWithParam<Parameter> {
protected:
  static void SetUpTestSuite() { s_files.emplace(); }
  static void TearDownTestSuite() { s_files.reset(); }
  static inline std::optional<OldFiles> s_files;
};

} // namespace evo
