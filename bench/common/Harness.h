#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// The command line of a workload.
struct Options {
  std::size_t count = 0; ///< Number of floats, events or other items of the workload.
  std::size_t repeats = 5;
  std::string directory = "."; ///< Folder for the files that are written and read.
  std::string out;             ///< File for the figures as JSON; empty: none.
  std::string input;           ///< File of events to process; empty: generated events.
  std::string readOnly;        ///< Only read this file, and print the memory used.
  std::string keep;            ///< Keep the file of this variant as DIRECTORY/WORKLOAD.kept.kaon.
  std::vector<std::string> cases;    ///< Measure only these cases, see nameOf(); empty: all.
  std::vector<std::string> variants; ///< Measure only these variants; empty: all.
};

/// The main function of a workload. Runs it with the options of the command line, or prints help.
/// Returns main()'s result. Prints exceptions as messages.
[[nodiscard]] int runWorkload(int argc, char** argv, std::size_t defaultCount,
                              const std::function<void(const Options&)>& workload);

/// Throws if `holds` is false; `what` names the expectation in the message. Figures of wrong
/// results are worthless.
void expect(bool holds, std::string_view what);

/// The kind of program that is measured.
enum class Role {
  kaon,
  peer, ///< another system
  limit ///< the best that the machine can do
};

/// A row and a column in the table of a task.
struct Label {
  std::string task;         ///< "read and sum"
  std::string program;      ///< the program, and how it is used: "kaon batches"
  std::string variant = {}; ///< codec or layout; empty if there is no choice
  Role role = Role::kaon;
};

/// Returns "TASK/PROGRAM", followed by "/VARIANT" if there is one.
[[nodiscard]] std::string nameOf(const Label& label);

/// The clock of a figure: CPU time of all threads of the process, or wall-clock time.
enum class Clock { cpu, wall };

/// The conversion of seconds to a figure.
struct Unit {
  std::string name; ///< "ns/float"
  double perSecond = 1;
  Clock clock = Clock::cpu;
};

/// Wall-clock time and the CPU time of all threads of the process, in seconds.
struct Duration {
  double wall = 0;
  double cpu = 0;
};

/// Collects the figures of one workload, prints each one immediately, and writes all as JSON. If
/// the options name cases, only these are measured.
class Report {
public:
  Report(std::string workload, Options options);

  /// Measures `body` as often as the options say, but at most three times if it is slow. The figure
  /// is the median. If there are several runs, an unmeasured one comes first, because a virtual
  /// machine gets memory from its host at the first access. Bodies that are not measured run once,
  /// because others may need their output.
  template <std::invocable Body>
  void time(const Label& label, const Unit& unit, Body body) {
    time(
        label, unit, [] { return 0; }, [&](int) { body(); });
  }
  /// As above, for `body(prepared)`. `prepare()` runs before each measurement and is not measured.
  template <std::invocable Prepare, std::invocable<std::invoke_result_t<Prepare>&> Body>
  void time(const Label& label, const Unit& unit, Prepare prepare, Body body) {
    if (!wants(label)) {
      auto prepared = prepare();
      return body(prepared);
    }
    if (m_options.repeats > 1) {
      auto prepared = prepare();
      body(prepared);
    }
    std::vector<Duration> runs;
    const Duration begin = now();
    while (wantsMore(runs.size(), begin)) {
      auto prepared = prepare();
      const Duration before = start();
      body(prepared);
      runs.push_back(stop(label, before));
    }
    addTimes(label, unit, std::move(runs));
  }

  /// Adds a figure that is not a time.
  void add(const Label& label, std::string_view unit, double value);

  /// Whether any case of a variant is to be measured.
  [[nodiscard]] bool wants(std::string_view variant) const;
  /// Whether this case is to be measured.
  [[nodiscard]] bool wants(const Label& label) const;

  /// Writes the JSON file, if the options name one. Throws if a requested case did not occur.
  void save() const;

private:
  struct Row {
    Label label;
    std::string unit;
    double value = 0; // for times: the median, by the unit's clock
    double best = 0;
    double wall = 0; // median
    std::vector<Duration> runs;
  };
  [[nodiscard]] static Duration now();
  /// These enclose the measured code: start() is now(), and stop() returns the time since then.
  [[nodiscard]] static Duration start();
  [[nodiscard]] static Duration stop(const Label& label, const Duration& before);
  [[nodiscard]] bool wantsMore(std::size_t runs, const Duration& begin) const;
  void addTimes(const Label& label, const Unit& unit, std::vector<Duration> runs);

  std::string m_workload;
  Options m_options;
  std::vector<Row> m_rows;
};

/// Memory of this process, in MB (10^6 bytes).
struct Memory {
  double peak = 0;      ///< highest resident size so far, with mapped files
  double anonymous = 0; ///< resident now, without files
};
[[nodiscard]] Memory memory();

/// Runs this program again with these arguments. Returns its output.
[[nodiscard]] std::string runSelf(const std::string& arguments);

} // namespace bench
