#include <kaon/files/Format.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/files/Tables.h>
#include <kaon/formats/hdf5/Hdf5Format.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/HipoEventPlan.h>
#include <kaon/formats/hipo/HipoFile.h>
#include <kaon/formats/hipo/HipoFileWriter.h>
#include <kaon/formats/kaonfile/Appending.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/kaonfile/Verify.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/container/RootFileHeader.h>
#include <kaon/formats/root/podio/FrameWriter.h>
#include <kaon/formats/root/tree/BranchPlan.h>
#include <kaon/formats/sio/SioFile.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/formats/sio/lcio/LcioFileWriter.h>
#include <kaon/formats/sio/podio/PodioFileWriter.h>

#include <algorithm>
#include <array>

namespace kaon {
namespace {

constexpr std::uint64_t mostFirstBytes = 64;

using ModelDocuments = std::span<const ModelDatatypes::Document>;

template <root::CategoryForm form>
std::unique_ptr<Sink> createRootFile(std::unique_ptr<io::ByteSink> bytes,
                                     const SinkOptions& options) {
  return std::make_unique<root::RootFileWriter>(std::move(bytes), options, form);
}

template <root::CategoryForm form>
std::string obstacleInRoot(std::string_view category) {
  return root::obstacleTo(category, form);
}

const std::array<Format, 10> all{
    {{.name = "kaon",
      .suffix = ".kaon",
      .isBeginning = kaonfile::isKaonFile,
      .open = kaonfile::openFile,
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        return std::make_unique<kaonfile::FileWriter>(std::move(bytes), options);
      },
      .append = [](const std::string& path, const SinkOptions& options) -> std::unique_ptr<Sink> {
        return kaonfile::appendToFile(path, options);
      },
      .verify = kaonfile::verify,
      .holdsObjects = true},
     {.name = "root",
      .isBeginning = root::isRootFile,
      .open = root::openRootFile,
      .append = root::appendToRootFile},
     {.name = "rntuple",
      .suffix = ".root",
      .create = createRootFile<root::CategoryForm::ntuple>,
      .obstacleTo = obstacleInRoot<root::CategoryForm::ntuple>,
      .holdsObjects = true},
     {.name = "ttree",
      .create = createRootFile<root::CategoryForm::tree>,
      .losses = [](std::string_view /*category*/, const Schema& schema,
                   ModelDocuments /*models*/) { return root::lossesInTrees(schema); },
      .obstacleTo = obstacleInRoot<root::CategoryForm::tree>,
      .holdsObjects = true},
     {.name = "podio",
      .create = createRootFile<root::CategoryForm::frames>,
      .losses = [](std::string_view /*category*/, const Schema& schema,
                   ModelDocuments models) { return root::podio::lossesInFrames(schema, models); },
      .keepsAbsence = false,
      .obstacleTo = obstacleInRoot<root::CategoryForm::frames>,
      .holdsObjects = true},
     {.name = "hipo",
      .suffix = ".hipo",
      .isBeginning = hipo::isHipoFile,
      .open = hipo::openHipoFile,
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        return std::make_unique<hipo::HipoFileWriter>(std::move(bytes), options);
      },
      .losses = [](std::string_view /*category*/, const Schema& schema,
                   ModelDocuments /*models*/) { return hipo::lossesInEvents(schema); },
      .mostBytesOfEntry = hipo::mostStructureBytes,
      .obstacleTo = hipo::obstacleTo,
      .hasTags = true},
     {.name = "sio", .isBeginning = sio::isSioFile, .open = sio::openSioFile},
     {.name = "podio-sio",
      .suffix = ".sio",
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        return std::make_unique<sio::podio::PodioFileWriter>(std::move(bytes), options);
      },
      .losses = [](std::string_view /*category*/, const Schema& schema,
                   ModelDocuments models) { return sio::podio::lossesInPodio(schema, models); },
      .keepsEmptyCategories = false,
      .obstacleTo = sio::podio::obstacleTo,
      .mostCategories = sio::podio::mostCategories},
     {.name = "lcio",
      .suffix = ".slcio",
      .create = [](std::unique_ptr<io::ByteSink> bytes,
                   const SinkOptions& options) -> std::unique_ptr<Sink> {
        return std::make_unique<sio::lcio::LcioFileWriter>(std::move(bytes), options);
      },
      .losses = [](std::string_view category, const Schema& schema,
                   ModelDocuments /*models*/) { return sio::lcio::lossesInLcio(category, schema); },
      .keepsEmptyCategories = false,
      .obstacleTo = sio::lcio::obstacleTo},
     {.name = "hdf5",
      .suffix = ".h5",
      .otherSuffix = ".hdf5",
      .isBeginning = hdf5::isHdf5File,
      .open = hdf5::openHdf5File,
      .create = hdf5::createHdf5File}}};

constexpr std::array<std::string_view, 3> tableSuffixes{".parquet", ".feather", ".arrow"};

/// Throws if the suffix of a path looks misspelt: one letter is wrong, or two of a long suffix.
/// Short suffixes are similar to too many others.
void checkSuffix(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos)
    return;
  const std::string_view suffix = name.substr(dot);
  if (suffix.starts_with(all.front().suffix)) // ".kaon1": the file will have that format
    return;
  const auto check = [&](std::string_view known) {
    const std::size_t most = known.size() > 6 ? 2 : known.size() > 4 ? 1 : 0;
    if (!known.empty() && mistakesIn(suffix, known) <= most)
      fail(ErrorKind::usage, path, ": no format has the suffix '", suffix, "' (did you mean '",
           known, "'?); to use this name, also name the format, such as 'kaon'");
  };
  for (const Format& format : all) {
    check(format.suffix);
    check(format.otherSuffix);
  }
  std::ranges::for_each(tableSuffixes, check);
}

/// A file that users take for one with events, and the remedy.
struct Mistaken {
  std::string_view beginning;
  std::string_view message;
};
constexpr Mistaken mistakenFiles[] = {
    {"version https://git-lfs", "is a pointer of git-lfs; `git lfs pull` fetches the file itself"},
    {"<!DOCTYPE", "is a page of a web site, perhaps an error of the server; check the address"},
    {"<!doctype", "is a page of a web site, perhaps an error of the server; check the address"},
    {"<html", "is a page of a web site, perhaps an error of the server; check the address"},
    {"\x1f\x8b", "is compressed by gzip; `gunzip` makes a file that kaon reads"},
    {"BZh", "is compressed by bzip2; `bunzip2` makes a file that kaon reads"},
    {"\xfd\x37zXZ", "is compressed by xz; `unxz` makes a file that kaon reads"},
    {"\x28\xb5\x2f\xfd", "is compressed by Zstandard; `unzstd` makes a file that kaon reads"},
    {"PK\x03\x04", "is a zip archive; `unzip` takes the files from it"}};

} // namespace

std::span<const Format> formats() noexcept { return all; }

const Format& formatOf(const io::ByteSource& bytes) {
  Buffer scratch;
  const auto first = bytes.view(0, std::min(bytes.size(), mostFirstBytes), scratch);
  if (first.empty())
    fail(ErrorKind::version, bytes.name(), ": is empty");
  for (const Format& format : all)
    if (format.isBeginning && format.isBeginning(first))
      return format;
  if (isTable(bytes))
    fail(ErrorKind::version, bytes.name(),
         ": is a Parquet or Feather file, which kaon reads only in Python and from this machine; "
         "`kaon convert` makes a .kaon file of it");
  if (hdf5::userBlockOf(bytes) != 0)
    return *std::ranges::find(all, "hdf5", &Format::name);
  const std::string_view text(detail::valuesAt<char>(first.data()), first.size());
  for (const Mistaken& mistaken : mistakenFiles)
    if (text.starts_with(mistaken.beginning))
      fail(ErrorKind::version, bytes.name(), ": ", mistaken.message);
  fail(ErrorKind::version, bytes.name(), ": is not a kaon file, nor of another format that kaon ",
       "reads, judging by its first bytes",
       bytes.name().find(formats().front().suffix) == std::string::npos
           ? ""
           : "; if they are damaged, `kaon recover` finds the sound data of the file");
}

std::unique_ptr<File> openBytes(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  const Format& format = formatOf(*bytes);
  if (!options.tags.empty() && !format.hasTags)
    fail(ErrorKind::usage, bytes->name(),
         ": tags select records of HIPO files only; in a file made from one, cut on the value "
         "'tag'");
  return format.open(std::move(bytes), options);
}

const Format& formatToWrite(std::string_view path, std::string_view name) {
  std::vector<std::string> names;
  for (const Format& format : all) {
    if (!format.create)
      continue;
    const auto hasSuffix = [&](std::string_view suffix) {
      return !suffix.empty() && path.ends_with(suffix);
    };
    if (name.empty() ? hasSuffix(format.suffix) || hasSuffix(format.otherSuffix)
                     : name == format.name)
      return format;
    names.emplace_back(format.name);
  }
  if (!name.empty())
    fail(ErrorKind::name, path, ": kaon does not write a format '", name, "'",
         suggestion(name, names));
  for (const std::string_view suffix : tableSuffixes)
    if (path.ends_with(suffix))
      fail(ErrorKind::usage, path, ": files of Parquet and Feather are written by `kaon convert` ",
           "and kaon.convert() only: write a .kaon file, and convert it");
  checkSuffix(path);
  return all.front();
}

} // namespace kaon
