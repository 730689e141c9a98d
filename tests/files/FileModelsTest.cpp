#include <kaon/detail/files/FileModels.h>

#include <kaon/formats/memory/MemoryFile.h>

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

std::shared_ptr<const File>
fileWith(const std::string& name,
         std::initializer_list<std::pair<const char*, const char*>> documents) {
  const auto file = memory::MemoryFile::make(name);
  const auto sink = file->sink();
  for (const auto& [document, text] : documents)
    sink->addDocument(document, text);
  sink->finish();
  return file;
}

TEST(FileModels, areThoseOfTheFirstFileThatHasEach) {
  const auto first = fileWith("a", {{"notes", "text"}, {"model:tracks", "{1}"}});
  const auto second = fileWith("b", {{"model:tracks", "{2}"}, {"model:hits", "{3}"}});
  const std::vector<const File*> files{first.get(), second.get()};
  const auto models = detail::modelsIn(files);
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].where, "b: model 'hits'");
  EXPECT_EQ(models[0].json, "{3}");
  EXPECT_EQ(models[1].where, "a: model 'tracks'");
  EXPECT_EQ(models[1].json, "{1}");
  EXPECT_EQ(detail::modelsIn(*first).size(), 1U);
  EXPECT_TRUE(detail::modelsIn(*fileWith("c", {{"notes", "model:"}})).empty());
}

} // namespace
} // namespace kaon
