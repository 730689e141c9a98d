#include "BadFilePolicy.h"
#include "Interruptible.h"
#include "Models.h"
#include "Module.h"
#include "Names.h"
#include "PythonProgress.h"
#include "Warnings.h"

#include <kaon/codec/Encoding.h>
#include <kaon/event/Reader.h>
#include <kaon/files/Files.h>
#include <kaon/formats/root/Interpretation.h>
#include <kaon/tools/Convert.h>
#include <kaon/tools/PrecisionTrial.h>
#include <kaon/tools/Size.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

Verification verifyFile(const std::filesystem::path& path, const nb::object& progress) {
  Verification verification;
  runInterruptibly([&] { verification = verify(path.string(), progressOf(progress)); });
  return verification;
}

/// Decodes a name from a file that may be damaged, replacing invalid bytes.
nb::object anyText(const std::string& text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), std::ssize(text), "replace"));
}

/// Returns the bad files and the warnings.
std::pair<std::vector<BadFile>, nb::typed<nb::list, nb::object>>
convertFiles(const std::vector<std::filesystem::path>& in, const std::filesystem::path& out,
             const WriterOptions& writer, bool isLossy, const Models& models,
             const nb::object& progress, const std::string& onBadFile, const std::string& category,
             bool skipDamaged) {
  WarningCollector collector;
  std::vector<BadFile> bad;
  runInterruptibly([&] {
    const ConvertOptions options{
        writer, isLossy, documentsOf(models), badFilePolicy(onBadFile), category, skipDamaged};
    bad = convert({in.begin(), in.end()}, out.string(), options, progressOf(progress));
  });
  return {std::move(bad), collector.takeAsPython()};
}

/// Returns the report and the warnings.
std::pair<MergeReport, nb::typed<nb::list, nb::object>>
mergeFiles(const std::vector<std::string>& in, const std::string& out, const nb::object& progress,
           const std::string& onBadFile) {
  WarningCollector collector;
  MergeReport report;
  runInterruptibly(
      [&] { report = merge(in, out, progressOf(progress), badFilePolicy(onBadFile)); });
  return {std::move(report), collector.takeAsPython()};
}

Recovery recoverFile(const std::filesystem::path& in, const std::filesystem::path& out,
                     const nb::object& progress) {
  Recovery report;
  runInterruptibly([&] { report = recover(in.string(), out.string(), progressOf(progress)); });
  return report;
}

std::vector<PrecisionTrial> precisionTrials(const Category& category,
                                            const std::vector<unsigned>& bits,
                                            const nb::object& progress) {
  std::vector<PrecisionTrial> trials;
  runInterruptibly([&] {
    const Source& source = category.source();
    trials = tryPrecision(source, codecOf(source), bits, progressOf(progress));
  });
  return trials;
}

FileSize sizeOfFile(const std::filesystem::path& path) {
  const nb::gil_scoped_release release;
  WarningCollector ignored; // opening the file gave these warnings already
  return sizeOf(path.string());
}

void bindVerify(nb::module_& module) {
  nb::class_<Finding>(module, "Finding")
      .def_prop_ro("category", [](const Finding& self) { return anyText(self.category); })
      .def_prop_ro("column", [](const Finding& self) { return anyText(self.column); })
      .def_prop_ro(
          "entries",
          [](const Finding& self) { return nb::make_tuple(self.entries.first, self.entries.last); })
      .def_ro("position", &Finding::position)
      .def_prop_ro("what", [](const Finding& self) { return anyText(self.what); })
      .def_ro("is_unreadable", &Finding::isUnreadable);
  nb::class_<Verification>(module, "Verification")
      .def_ro("findings", &Verification::findings)
      .def_ro("is_complete", &Verification::isComplete)
      .def_ro("records", &Verification::records)
      .def_ro("pages", &Verification::pages)
      .def_ro("bytes", &Verification::bytes);
  module.def("verify", &verifyFile, "path"_a, "progress"_a = nb::none());
}

void bindSize(nb::module_& module) {
  nb::class_<ColumnSize>(module, "ColumnSize")
      .def_ro("name", &ColumnSize::name)
      .def_ro("collection", &ColumnSize::collection)
      .def_prop_ro("role", [](const ColumnSize& self) { return roleName(self.role); })
      .def_ro("values", &ColumnSize::values)
      .def_ro("stored_bytes", &ColumnSize::storedBytes)
      .def_ro("decoded_bytes", &ColumnSize::decodedBytes)
      .def_prop_ro("codecs", [](const ColumnSize& self) { return namesOfForms(self); });
  nb::class_<CategorySize>(module, "CategorySize")
      .def_ro("name", &CategorySize::name)
      .def_ro("entries", &CategorySize::entries)
      .def_ro("columns", &CategorySize::columns)
      .def_ro("meta_bytes", &CategorySize::metaBytes)
      .def_ro("padding_bytes", &CategorySize::paddingBytes);
  nb::class_<FileSize>(module, "FileSize")
      .def_ro("bytes", &FileSize::bytes)
      .def_ro("categories", &FileSize::categories)
      .def_ro("schema_bytes", &FileSize::schemaBytes)
      .def_ro("document_bytes", &FileSize::documentBytes)
      .def_ro("index_bytes", &FileSize::indexBytes)
      .def_ro("other_bytes", &FileSize::otherBytes);
  nb::class_<PrecisionTrial>(module, "PrecisionTrial")
      .def_ro("name", &PrecisionTrial::name)
      .def_ro("bits", &PrecisionTrial::bits)
      .def_ro("saved_bytes", &PrecisionTrial::savedBytes);
  module.def("size_of", &sizeOfFile, "path"_a);
  module.def("precision_trials", &precisionTrials, "category"_a, "bits"_a,
             "progress"_a = nb::none());
}

} // namespace

void bindTools(nb::module_& module) {
  bindVerify(module);
  bindSize(module);
  module.def("convert", &convertFiles, "paths"_a, "out"_a, "options"_a, "is_lossy"_a,
             "models"_a = nb::dict(), "progress"_a = nb::none(), "on_bad_file"_a = "raise",
             "category"_a = "", "skip_damaged"_a = false);
  module.def("recover", &recoverFile, "path"_a, "out"_a, "progress"_a = nb::none());
  nb::class_<MergedCategory>(module, "MergedCategory")
      .def_ro("name", &MergedCategory::name)
      .def_ro("entries", &MergedCategory::entries)
      .def_ro("copied_entries", &MergedCategory::copiedEntries)
      .def_ro("joined_entries", &MergedCategory::joinedEntries);
  nb::class_<MergeReport>(module, "MergeReport")
      .def_ro("categories", &MergeReport::categories)
      .def_ro("bad_files", &MergeReport::badFiles);
  module.def("merge", &mergeFiles, "paths"_a, "out"_a, "progress"_a.none(),
             "on_bad_file"_a = "raise");
  module.def("interpret", &root::interpret, "type"_a, "description"_a);
  module.def("usual_cluster_bytes", &detail::usualClusterBytes, "columns"_a);
}

} // namespace kaon::python
