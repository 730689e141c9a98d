#include "Module.h"
#include "PythonProgress.h"
#include "Warnings.h"

#include <kaon/train/Train.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

void addOutput(Train& train, const std::string& path, const std::string& selection,
               const std::vector<std::string>& keep, const std::vector<std::string>& drop,
               const std::map<std::string, std::string>& thin, bool isStrict, bool isVirtual) {
  const nb::gil_scoped_release release;
  train.add({.path = path,
             .selection = selection,
             .keep = keep,
             .drop = drop,
             .thin = thin,
             .lost = isStrict ? LostReference::isError : LostReference::becomesNone,
             .isVirtual = isVirtual});
}

Train trainOf(const Dataframe& events, const WriterOptions& options, bool keepsOrder,
              bool provenance, bool copiesClusters, bool otherCategories,
              const std::string& decisions) {
  const nb::gil_scoped_release release;
  const WarningCollector repeated; // run() opens the files again and repeats the warnings
  return Train(events, {.writer = options,
                        .keepsOrder = keepsOrder,
                        .provenance = provenance,
                        .copiesClusters = copiesClusters,
                        .otherCategories = otherCategories,
                        .decisions = decisions});
}

/// Returns the report of a train and the warnings.
template <class Work>
std::pair<TrainReport, nb::typed<nb::list, nb::object>> collecting(Work work) {
  WarningCollector collector;
  TrainReport report;
  {
    const nb::gil_scoped_release release;
    report = work();
  }
  return {std::move(report), collector.takeAsPython()};
}

} // namespace

void bindTrain(nb::module_& module) {
  nb::class_<TrainReport::Output>(module, "TrainOutputReport")
      .def_ro("path", &TrainReport::Output::path)
      .def_ro("entries", &TrainReport::Output::entries)
      .def_ro("bytes", &TrainReport::Output::bytes);
  nb::class_<TrainReport>(module, "TrainReport")
      .def_ro("entries", &TrainReport::entries)
      .def_ro("encoded_entries", &TrainReport::encodedEntries)
      .def_ro("copied_entries", &TrainReport::copiedEntries)
      .def_ro("outputs", &TrainReport::outputs)
      .def_ro("bad_files", &TrainReport::badFiles);
  nb::class_<Train>(module, "Train")
      .def("contents", &Train::contents)
      .def("add", &addOutput, "path"_a, "selection"_a, "keep"_a, "drop"_a, "thin"_a, "is_strict"_a,
           "is_virtual"_a)
      .def(
          "run",
          [](const Train& self, const nb::object& progress) {
            return collecting([&] { return self.run(progressOf(progress)); });
          },
          "progress"_a.none())
      .def(
          "estimate",
          [](const Train& self, std::uint64_t sampledEntries) {
            return collecting([&] { return self.estimate(sampledEntries); });
          },
          "sampled_entries"_a);
  module.def("train", &trainOf, "events"_a, "options"_a, "keeps_order"_a, "provenance"_a,
             "copies_clusters"_a, "other_categories"_a, "decisions"_a);
}

} // namespace kaon::python
