// Runs small jobs again and again while the k-th allocation or system call fails, for each k and
// each way in which the call can fail. A job must succeed with right data, or throw one error and
// leave the file before as it was. It must succeed if the call was interrupted, or transferred
// fewer bytes. Afterwards no descriptor is left open, and the file can be written again.
//
//   kaon_faults [--most N] [--seed N] [JOB...]
//
// With more than N calls of a kind, tries a random selection of N; by default, all.

#include "failures.h"

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>
#include <kaon/reading/Batches.h>
#include <kaon/tools/Convert.h>

#include "support/Files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>
#include <vector>

namespace kaon::torture {
namespace {

constexpr std::uint32_t entries = 300;
constexpr std::uint32_t perCluster = 100;
constexpr unsigned mostSeconds = 60; // of one run

/// The values of a file: those of entry i depend on i and a seed.
struct Values {
  explicit Values(std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::uint32_t entry = 0; entry < entries; ++entry) {
      numbers.push_back(static_cast<std::int32_t>(random() % 1000));
      for (std::uint32_t row = 0; row < entry % 4; ++row)
        rows.push_back(static_cast<float>(random() % 64));
      offsets.push_back(static_cast<std::uint32_t>(rows.size()));
    }
  }
  void append(const Values& further) {
    numbers.insert(numbers.end(), further.numbers.begin(), further.numbers.end());
    const std::uint32_t last = offsets.back();
    for (std::size_t i = 1; i < further.offsets.size(); ++i)
      offsets.push_back(last + further.offsets[i]);
    rows.insert(rows.end(), further.rows.begin(), further.rows.end());
  }
  /// Keeps only the first entries.
  void cut(std::size_t count) {
    numbers.resize(count);
    offsets.resize(count + 1);
    rows.resize(offsets.back());
  }
  /// Returns the entries [first, last).
  [[nodiscard]] Values of(std::size_t first, std::size_t last) const {
    Values some;
    for (std::size_t entry = first; entry < last; ++entry) {
      some.numbers.push_back(numbers[entry]);
      some.rows.insert(some.rows.end(), rows.begin() + offsets[entry],
                       rows.begin() + offsets[entry + 1]);
      some.offsets.push_back(static_cast<std::uint32_t>(some.rows.size()));
    }
    return some;
  }
  [[nodiscard]] bool beginsWith(Values other) const {
    Values first = *this;
    if (other.numbers.size() > numbers.size())
      return false;
    first.cut(other.numbers.size());
    return first == other;
  }
  friend bool operator==(const Values&, const Values&) = default;

  std::vector<std::int32_t> numbers;
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> rows;

private:
  friend Values valuesIn(const std::string& path, const std::string& category,
                         const OpenOptions& options);
  Values() = default;
};

void write(const std::string& path, const Values& values, WriterOptions options,
           const std::string& category = "events") {
  options.clusterEntries = perCluster;
  BatchWriter writer = batchWriter(path, std::move(options));
  Columns columns(values.numbers.size());
  columns.add("number", values.numbers);
  columns.add("hits", values.offsets, {{"x", values.rows}});
  writer.write(category, columns.batch());
  writer.finish();
}

Values valuesIn(const std::string& path, const std::string& category = "events",
                const OpenOptions& options = {}) {
  Values values;
  const auto file = open(path, options);
  // Banks of HIPO may lack a value.
  const std::string number = path.ends_with(".hipo") ? "number.value" : "number";
  for (const Batch& batch : Batches::ofAll(file->category(category))) {
    const auto numbers = batch.values<std::int32_t>(number);
    values.numbers.insert(values.numbers.end(), numbers.begin(), numbers.end());
    const auto rows = batch.values<float>("hits.x");
    const auto offsets = batch.offsets("hits");
    for (std::size_t i = 0; i < numbers.size(); ++i)
      values.offsets.push_back(values.offsets.back() + offsets[i + 1] - offsets[i]);
    values.rows.insert(values.rows.end(), rows.begin(), rows.end());
  }
  return values;
}

/// A job: it prepares files, does what may fail, and checks the files or values afterwards.
struct Job {
  std::string name;
  std::string file; ///< that it writes; "" for none
  std::function<void(const std::string& folder)> prepare;
  std::function<void(const std::string& folder)> run;
  /// Returns a mistake, or "".
  std::function<std::string(const std::string& folder, bool isDone)> check;
  std::vector<Failing> kinds = {Failing::allocations, Failing::systemCalls};
};

const Values& oldValues() {
  static const Values values(1);
  return values;
}
const Values& newValues() {
  static const Values values(2);
  return values;
}

Job writing(const std::string& name, const std::string& file, const WriterOptions& options) {
  return {name, file,
          [=](const std::string& folder) { write(folder + file, oldValues(), options); },
          [=](const std::string& folder) { write(folder + file, newValues(), options); },
          [=](const std::string& folder, bool isDone) {
            const Values found = valuesIn(folder + file);
            return std::string(found == newValues()   ? ""
                               : isDone               ? "the new file has other values"
                               : found == oldValues() ? ""
                                                      : "the old file has other values");
          }};
}

Job appending(const std::string& name, const std::string& file, WriterOptions options,
              const std::string& category) {
  return {name, file,
          [=](const std::string& folder) { write(folder + file, oldValues(), options); },
          [=](const std::string& folder) {
            WriterOptions further = options;
            further.append = true;
            write(folder + file, newValues(), further, category);
          },
          [=](const std::string& folder, bool isDone) -> std::string {
            Values all = oldValues();
            if (category == "events") {
              all.append(newValues());
              const Values found = valuesIn(folder + file);
              if (isDone)
                return found == all ? "" : "the file has other values";
              return found.numbers.size() >= entries && all.beginsWith(found)
                         ? ""
                         : "the file has other values after an error";
            }
            if (valuesIn(folder + file) != all)
              return "the old category has other values";
            return !isDone || valuesIn(folder + file, category) == newValues()
                       ? ""
                       : "the new category has other values";
          }};
}

Job reading(const std::string& name, const std::string& file, const WriterOptions& options,
            MapUse map = MapUse::automatic) {
  const auto found = std::make_shared<Values>(0);
  return {
      name, "", [=](const std::string& folder) { write(folder + file, newValues(), options); },
      [=](const std::string& folder) { *found = valuesIn(folder + file, "events", {.map = map}); },
      [=](const std::string& folder, bool isDone) -> std::string {
        if (isDone && *found != newValues())
          return "other values were read";
        return valuesIn(folder + file) == newValues() ? "" : "the file has changed";
      }};
}

Job converting(const std::string& name, const std::string& from, const std::string& to) {
  return {name, to,
          [=](const std::string& folder) {
            write(folder + from, newValues(), {});
            write(folder + to, oldValues(), {});
          },
          [=](const std::string& folder) { (void)convert({folder + from}, folder + to); },
          [=](const std::string& folder, bool isDone) -> std::string {
            const Values found = valuesIn(folder + to);
            if (found != newValues() && (isDone || found != oldValues()))
              return "the file has other values";
            return valuesIn(folder + from) == newValues() ? "" : "the first file has changed";
          }};
}

/// Damages the second cluster of a file of `entries` in clusters of `perCluster`.
void damage(const std::string& path) {
  std::string bytes = test::readFile(path);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  test::writeFile(path, bytes);
}

/// Copies the sound clusters of a damaged file.
Job salvaging(const std::string& name,
              std::function<void(const std::string& from, const std::string& to)> run) {
  return {name, "b.kaon",
          [=](const std::string& folder) {
            WriterOptions raw;
            raw.codec = uncompressed(); // the clusters are nearly the whole file
            write(folder + "a.kaon", newValues(), raw);
            damage(folder + "a.kaon");
            write(folder + "b.kaon", oldValues(), {});
          },
          [=](const std::string& folder) { run(folder + "a.kaon", folder + "b.kaon"); },
          [=](const std::string& folder, bool isDone) -> std::string {
            const Values found = valuesIn(folder + "b.kaon");
            Values sound = newValues().of(0, perCluster);
            sound.append(newValues().of(2 * perCluster, entries));
            if (found == sound) // complete, also if the sync of the folder failed afterwards
              return "";
            if (isDone)
              return "the sound clusters have other values";
            return found == oldValues() ? "" : "the old file has other values";
          }};
}

/// libhdf5 crashes if its allocations fail.
[[maybe_unused]] Job inLibhdf5(Job job) {
  job.kinds = {Failing::systemCalls};
  return job;
}

std::vector<Job> allJobs() {
  WriterOptions raw, ntuple, tree;
  raw.codec = uncompressed();
  ntuple.format = "rntuple";
  tree.format = "ttree";
  return {
      writing("write-kaon", "f.kaon", {}),
      writing("write-rntuple", "f.root", ntuple),
      writing("write-ttree", "f.root", tree),
      writing("write-hipo", "f.hipo", {}),
#ifdef KAON_HAS_HDF5
      inLibhdf5(writing("write-hdf5", "f.h5", {})),
      inLibhdf5(reading("read-hdf5", "f.h5", {})),
#endif
      appending("append-kaon", "f.kaon", {}, "events"),
      appending("append-category-kaon", "f.kaon", {}, "runs"),
      appending("append-rntuple", "f.root", ntuple, "runs"),
      appending("append-ttree", "f.root", tree, "runs"),
      reading("read-kaon", "f.kaon", {}),
      reading("read-raw-kaon", "f.kaon", raw),
      reading("read-kaon-without-map", "f.kaon", {}, MapUse::never),
      reading("read-rntuple", "f.root", ntuple),
      reading("read-ttree", "f.root", tree),
      reading("read-hipo", "f.hipo", {}),
      converting("convert-kaon-root", "a.kaon", "b.root"),
      converting("convert-root-kaon", "a.root", "b.kaon"),
      salvaging("recover-kaon", [](const auto& from, const auto& to) { (void)recover(from, to); }),
      salvaging("convert-damaged-kaon", [](const auto& from, const auto& to) {
        (void)convert({from}, to, {.skipDamaged = true});
      })};
}

/// The result of a run of a job, for its parent process.
struct Outcome {
  std::uint64_t calls = 0;
  std::size_t ways = 1; ///< in which the call can fail
  char mistake[1000] = {};
};

/// Returns the number of open descriptors of this process.
std::ptrdiff_t openDescriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// The call that fails in a run, and how.
struct Failure {
  Failing kind;
  std::uint64_t call = 0; ///< 0: none
  std::size_t way = 0;
};

std::string reasonOf(const FailedCall& call) {
  return call.error == shortened ? "fewer bytes" : ::strerror(call.error);
}

std::string errorOf(const std::function<void()>& run) {
  try {
    run();
    return "";
  } catch (const Error&) {
    return "";
  } catch (const std::bad_alloc&) {
    return "";
  } catch (const std::exception& error) {
    return std::string("it threw neither kaon's error nor std::bad_alloc, but: ") + error.what();
  } catch (...) {
    return "it threw an unknown exception";
  }
}

/// Checks the files, and that the job succeeds if it is repeated.
std::string mistakeAfter(const Job& job, const std::string& folder, bool isDone) {
  try {
    if (const std::string mistake = job.check(folder, isDone); !mistake.empty())
      return mistake;
    if (job.file.empty())
      return "";
    job.prepare(folder);
    job.run(folder);
    return job.check(folder, true);
  } catch (const std::exception& error) {
    return std::string("afterwards: ") + error.what();
  }
}

/// Runs a job with a failing call in this process.
std::string mistakeIn(const Job& job, const Failure& failure, Outcome& outcome) {
  const tbb::global_control oneThread(tbb::global_control::max_allowed_parallelism, 1);
  setWarningHandler({});
  const test::TemporaryDirectory directory;
  const std::string folder = directory / "";
  job.prepare(folder);
  const std::ptrdiff_t descriptors = openDescriptors();
  bool isDone = false;
  std::string mistake = errorOf([&] {
    begin(failure.kind, failure.call, failure.way);
    job.run(folder);
    isDone = true;
  });
  outcome.calls = end();
  outcome.ways = failed().ways;
  if (mistake.empty() && !isDone && failed().isTemporary())
    mistake = "the call was not tried again";
  if (mistake.empty() && openDescriptors() > descriptors)
    mistake = "a descriptor is still open";
  if (mistake.empty())
    mistake = mistakeAfter(job, folder, isDone);
  if (!mistake.empty() && failure.call > 0)
    mistake = std::string(failed().function) + ": " + reasonOf(failed()) + ": " + mistake;
  return mistake;
}

/// Runs a job in a process of its own.
Outcome outcomeOf(const Job& job, const Failure& failure) {
  int ends[2];
  if (::pipe(ends) != 0)
    std::abort();
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(mostSeconds);
    Outcome outcome;
    const std::string mistake = mistakeIn(job, failure, outcome);
    std::strncpy(outcome.mistake, mistake.c_str(), sizeof outcome.mistake - 1);
    const bool isSent = ::write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
    std::_Exit(isSent ? 0 : 1);
  }
  ::close(ends[1]);
  Outcome outcome;
  const bool isReceived = ::read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!isReceived) {
    const std::string how = WIFSIGNALED(status)
                                ? std::string("signal ") + ::strsignal(WTERMSIG(status))
                                : "status " + std::to_string(WEXITSTATUS(status));
    std::strncpy(outcome.mistake, ("it ended with " + how).c_str(), sizeof outcome.mistake - 1);
  }
  return outcome;
}

/// Returns the numbers of calls to try.
std::vector<std::uint64_t> chosen(std::uint64_t calls, std::size_t most, std::uint32_t seed) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(calls));
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  std::vector<std::uint64_t> some;
  std::mt19937 random(seed);
  std::ranges::sample(all, std::back_inserter(some), static_cast<std::ptrdiff_t>(most), random);
  return some;
}

std::string nameOf(Failing kind) {
  return kind == Failing::allocations ? "allocation" : "system call";
}

/// Counts runs and their mistakes.
struct Counts {
  std::size_t runs = 0;
  std::size_t mistakes = 0;
};

/// Runs a job with a failing call. Prints mistakes, and returns the ways in which the call can
/// fail.
std::size_t tortureOnce(const Job& job, const Failure& failure, Counts& counts) {
  const Outcome outcome = outcomeOf(job, failure);
  ++counts.runs;
  if (outcome.mistake[0]) {
    ++counts.mistakes;
    std::cout << job.name << ": " << nameOf(failure.kind) << ' ' << failure.call << ": "
              << outcome.mistake << std::endl;
  }
  return outcome.ways;
}

void torture(const Job& job, std::size_t most, std::uint32_t seed, Counts& counts) {
  for (const Failing kind : job.kinds) {
    const Outcome usual = outcomeOf(job, {kind});
    const std::vector<std::uint64_t> numbers = chosen(usual.calls, most, seed);
    std::cout << job.name << ": " << numbers.size() << " of " << usual.calls << ' ' << nameOf(kind)
              << "s" << std::endl;
    if (usual.mistake[0]) {
      ++counts.mistakes;
      std::cout << job.name << ": without failures: " << usual.mistake << std::endl;
    }
    for (const std::uint64_t number : numbers) {
      const std::size_t ways = tortureOnce(job, {kind, number}, counts);
      for (std::size_t way = 1; way < ways; ++way)
        (void)tortureOnce(job, {kind, number, way}, counts);
    }
  }
}

int runAll(const std::vector<std::string>& arguments) {
  std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX), jobs = 0;
  Counts counts;
  std::uint32_t seed = 1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--most")
      most = std::stoul(arguments.at(++i));
    else if (arguments[i] == "--seed")
      seed = static_cast<std::uint32_t>(std::stoul(arguments.at(++i)));
    else
      names.push_back(arguments[i]);
  }
  for (const Job& job : allJobs())
    if (names.empty() || std::ranges::find(names, job.name) != names.end()) {
      torture(job, most, seed, counts);
      ++jobs;
    }
  std::cout << jobs << " jobs, " << counts.runs << " runs, " << counts.mistakes
            << " mistakes, seed " << seed << std::endl;
  return counts.mistakes == 0 && jobs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace kaon::torture

int main(int argc, char** argv) { return kaon::torture::runAll({argv + 1, argv + argc}); }
