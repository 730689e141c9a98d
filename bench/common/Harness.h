#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// What the command line of a workload asks for.
struct Options {
  std::size_t count = 0; ///< of what the workload consists of: floats, events
  std::size_t repeats = 5;
  std::string directory = "."; ///< for the files that are written and read
  std::string out;             ///< where the figures go as JSON; empty: nowhere
  std::string input;           ///< a file of events to work on; empty: made up
  std::string readOnly;        ///< do nothing but read this file, and say what memory that took
};

/// Reads "--n COUNT --repeats R --dir DIRECTORY --out JSON --input FILE --read-only FILE". Explains
/// them and ends the program if there is anything else.
[[nodiscard]] Options parseOptions(int argc, char** argv, std::size_t defaultCount);

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

/// How seconds become a figure.
struct Unit {
  std::string name; ///< "ns/float"
  double perSecond = 1;
};

/// Wall-clock time and the CPU time of all threads of the process, in seconds.
struct Duration {
  double wall = 0;
  double cpu = 0;
};

/// Gathers the figures of one workload, prints each as it comes and writes all as JSON.
class Report {
public:
  Report(std::string workload, Options options);

  /// Measures `body` as often as the options say, but if it is slow no more than three times. The
  /// figure is the median of the CPU times.
  template <std::invocable Body>
  void time(const Label& label, const Unit& unit, Body body) {
    std::vector<Duration> runs;
    const Duration begin = now();
    while (wantsMore(runs.size(), begin)) {
      const Duration before = now();
      body();
      const Duration after = now();
      runs.push_back({after.wall - before.wall, after.cpu - before.cpu});
    }
    addTimes(label, unit, std::move(runs));
  }

  /// A figure that is not a time.
  void add(const Label& label, std::string_view unit, double value);

  /// Writes the JSON file, if one was asked for.
  void save() const;

private:
  struct Row {
    Label label;
    std::string unit;
    double value = 0; // of times: the median of the CPU times
    double best = 0;
    double wall = 0; // median
    std::vector<Duration> runs;
  };
  [[nodiscard]] static Duration now();
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
