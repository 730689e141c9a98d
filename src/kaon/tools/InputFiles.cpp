#include <kaon/tools/InputFiles.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/dataset/Joinable.h>
#include <kaon/files/Files.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace kaon {
namespace {

constexpr const char* usualCategory = "events";

struct OpenedInput {
  std::string path;
  std::shared_ptr<const File> file;
};

struct CategoryCount {
  std::string name;
  std::size_t files = 0; ///< that have the category
};

/// Returns the category that all files must have: `events` if any file has it, else the one that
/// most files have; "" if no files have one in common.
std::string mainCategory(const std::vector<OpenedInput>& inputs) {
  std::vector<CategoryCount> counts;
  for (const auto& [path, file] : inputs)
    for (const std::string& name : file->categories()) {
      if (name == usualCategory)
        return name;
      const auto known = std::ranges::find(counts, name, &CategoryCount::name);
      ++(known == counts.end() ? counts.emplace_back(CategoryCount{name}) : *known).files;
    }
  const auto most = std::ranges::max_element(counts, {}, &CategoryCount::files);
  return most == counts.end() || most->files == 1 ? "" : most->name;
}

/// Keeps the inputs for which `check` does not throw. Before it throws, `check` can set the number
/// of entries that will be missing.
void keep(std::vector<OpenedInput>& inputs, detail::BadFiles& bad,
          const std::function<void(OpenedInput&, std::optional<std::uint64_t>&)>& check) {
  std::vector<OpenedInput> kept;
  for (OpenedInput& input : inputs) {
    std::optional<std::uint64_t> entries;
    try {
      check(input, entries);
      kept.push_back(std::move(input));
    } catch (const Error& error) {
      bad.add(input.path, error, entries);
    }
  }
  if (kept.empty() && !inputs.empty())
    bad.throwFirst();
  inputs = std::move(kept);
}

/// Opens the sound data of a file, and warns of damage.
std::shared_ptr<const File> soundPartOf(const std::string& path) {
  DamagedFile damaged = openDamaged(path);
  if (!damaged.report.isSound())
    warn(WarningKind::incompleteFile, damaged.report.text());
  return std::move(damaged.file);
}

} // namespace

std::vector<std::shared_ptr<const File>>
openInputs(const std::vector<std::string>& paths, detail::BadFiles& bad,
           const std::function<std::shared_ptr<const File>(std::shared_ptr<const File>)>& change,
           bool skipDamaged) {
  std::vector<OpenedInput> inputs;
  for (const std::string& path : paths)
    inputs.push_back({path, nullptr});
  keep(inputs, bad, [&](OpenedInput& input, std::optional<std::uint64_t>& /*entries*/) {
    input.file = skipDamaged ? soundPartOf(input.path) : open(input.path);
    if (change)
      input.file = change(std::move(input.file));
  });
  const auto hasCategories = [](const OpenedInput& input) {
    return !input.file->categories().empty();
  };
  if (inputs.size() > 1 && std::ranges::any_of(inputs, hasCategories)) {
    const std::string main = mainCategory(inputs);
    const Source* reference = nullptr;
    for (const OpenedInput& input : inputs)
      if (const std::vector<std::string> names = input.file->categories();
          !reference && std::ranges::find(names, main) != names.end() &&
          detail::hasValues(input.file->category(main)))
        reference = &input.file->category(main);
    keep(inputs, bad, [&](const OpenedInput& input, std::optional<std::uint64_t>& entries) {
      if (!hasCategories(input))
        fail(ErrorKind::name, input.path, ": has no categories");
      if (main.empty())
        return;
      const Source& source = input.file->category(main);
      entries = source.entries();
      detail::checkJoinable(source, reference);
    });
  }
  std::vector<std::shared_ptr<const File>> files;
  for (OpenedInput& input : inputs)
    files.push_back(std::move(input.file));
  return files;
}

} // namespace kaon
