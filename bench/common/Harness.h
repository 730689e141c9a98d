#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// What the command line of a workload asks for.
struct Options {
  std::size_t count = 0; ///< of what the workload consists of: floats, events
  std::size_t repeats = 5;
  std::string directory = ".";    ///< for the files that are written and read
  std::string out;                ///< where the figures go as JSON; empty: nowhere
  std::string input;              ///< a file of events to work on; empty: made up
  std::string readOnly;           ///< do nothing but read this file, and say what memory that took
  std::string keep;               ///< leave the file of this variant, DIRECTORY/WORKLOAD.kept.kaon
  std::vector<std::string> cases; ///< measure nothing but these: see nameOf(); empty: all
  std::vector<std::string> variants; ///< the same of variants
};

/// The main function of a workload: runs it as the command line says, or explains the command line.
/// Returns what main() does; what is thrown becomes a message.
[[nodiscard]] int runWorkload(int argc, char** argv, std::size_t defaultCount,
                              const std::function<void(const Options&)>& workload);

/// Throws, with what was expected, unless it holds: a benchmark of wrong results is worth nothing.
void expect(bool holds, std::string_view what);

/// Who is measured.
enum class Role {
  kaon,
  peer, ///< another system
  limit ///< what the machine can do at best
};

/// What is measured: a row and a column of the table of a task.
struct Label {
  std::string task;         ///< "read and sum"
  std::string program;      ///< and the way in which it is used: "kaon batches"
  std::string variant = {}; ///< codec or layout, empty where there is no choice
  Role role = Role::kaon;
};

/// "TASK/PROGRAM", and "/VARIANT" if there is one.
[[nodiscard]] std::string nameOf(const Label& label);

/// What a figure is: the CPU time of all threads of the process, or what passed by the wall clock.
enum class Clock { cpu, wall };

/// How seconds become a figure.
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

/// Gathers the figures of one workload, prints each as it comes and writes all as JSON. If the
/// options name cases, only these are measured.
class Report {
public:
  Report(std::string workload, Options options);

  /// Measures `body` as often as the options say, but if it is slow no more than three times. The
  /// figure is the median. Before that it runs once unmeasured, if it is to run several times: a
  /// virtual machine gets memory from its host when it first touches it. What is not to be measured
  /// runs once all the same: others may need what it makes.
  template <std::invocable Body>
  void time(const Label& label, const Unit& unit, Body body) {
    time(
        label, unit, [] { return 0; }, [&](int) { body(); });
  }
  /// As above, of `body(prepared)`: what `prepare()` makes anew for each run is not measured.
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

  /// A figure that is not a time.
  void add(const Label& label, std::string_view unit, double value);

  /// Whether anything of a variant is to be measured.
  [[nodiscard]] bool wants(std::string_view variant) const;
  /// Whether this is measured.
  [[nodiscard]] bool wants(const Label& label) const;

  /// Writes the JSON file, if one was asked for. Throws if a case that was asked for did not come.
  void save() const;

private:
  struct Row {
    Label label;
    std::string unit;
    double value = 0; // of times: the median, by the unit's clock
    double best = 0;
    double wall = 0; // median
    std::vector<Duration> runs;
  };
  [[nodiscard]] static Duration now();
  /// Around what is measured: now(), and how long it was since then.
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
  double peak = 0;      ///< the most that was resident so far, mapped files included
  double anonymous = 0; ///< resident now and not of a file
};
[[nodiscard]] Memory memory();

/// The output of this program when it is run anew with these arguments.
[[nodiscard]] std::string runSelf(const std::string& arguments);

} // namespace bench
