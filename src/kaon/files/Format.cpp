#include <kaon/files/Format.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/kaon/Appending.h>
#include <kaon/formats/kaon/FileReader.h>
#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/formats/kaon/Verify.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/container/FileHeader.h>

#include <algorithm>
#include <array>

namespace kaon {
namespace {

constexpr std::uint64_t mostFirstBytes = 64;

/// Throws Error(name) for a form that a format does not have.
void checkForm(std::string_view path, std::string_view form,
               std::span<const std::string_view> forms) {
  if (!form.empty() && std::ranges::find(forms, form) == forms.end())
    fail(ErrorKind::name, path, ": files of this format have no form '", form, "'",
         suggestion(form, {forms.begin(), forms.end()}));
}

const std::array<Format, 2> all{
    {{.name = "kaon",
      .suffix = ".kaon",
      .isBeginning = store::isKaonFile,
      .open = store::openFile,
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        checkForm(bytes->name(), options.form, {});
        return std::make_unique<store::FileWriter>(std::move(bytes), options);
      },
      .append = [](const std::string& path, const SinkOptions& options) -> std::unique_ptr<Sink> {
        checkForm(path, options.form, {});
        return store::appendToFile(path, options);
      },
      .verify = store::verify},
     {.name = "root",
      .suffix = ".root",
      .isBeginning = root::isRootFile,
      .open = root::openRootFile,
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        checkForm(bytes->name(), options.form, root::forms);
        return std::make_unique<root::RootFileWriter>(std::move(bytes), options);
      }}}};

} // namespace

std::span<const Format> formats() noexcept { return all; }

const Format& formatOf(const io::ByteSource& bytes) {
  Buffer scratch;
  const auto first = bytes.view(0, std::min(bytes.size(), mostFirstBytes), scratch);
  if (first.empty())
    fail(ErrorKind::version, bytes.name(), ": is empty");
  for (const Format& format : all)
    if (format.isBeginning(first))
      return format;
  fail(ErrorKind::version, bytes.name(), ": is not a kaon file, nor of another format that kaon ",
       "reads, judging by its first bytes");
}

const Format& formatForPath(std::string_view path) noexcept {
  const auto found = std::ranges::find_if(
      all, [&](const Format& format) { return format.create && path.ends_with(format.suffix); });
  return found == all.end() ? all.front() : *found;
}

} // namespace kaon
