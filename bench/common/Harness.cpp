#include "common/Harness.h"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace bench {
namespace {

double seconds(::clockid_t clock) {
  std::timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string_view nameOf(Role role) {
  return role == Role::kaon ? "kaon" : role == Role::peer ? "peer" : "limit";
}

std::string quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// Under `valgrind --tool=callgrind --instr-atstart=no`, valgrind counts the instructions between
/// these two calls and writes them with the name. scripts/check-instructions.py uses this. Without
/// valgrind, they do nothing.
void startCounting() {
#ifdef CALLGRIND_START_INSTRUMENTATION
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
#endif
}
void stopCounting([[maybe_unused]] const std::string& name) {
#ifdef CALLGRIND_STOP_INSTRUMENTATION
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT(name.c_str());
#endif
}

[[noreturn]] void usage(const char* program, std::size_t defaultCount) {
  std::cerr << "Usage: " << program << " [options]\n"
            << "  --n COUNT         size of the workload, by default " << defaultCount << "\n"
            << "  --repeats COUNT   how often to measure, by default " << Options{}.repeats << "\n"
            << "  --dir DIRECTORY   where to write files to\n"
            << "  --out FILE        where to write the figures to, as JSON\n"
            << "  --input FILE      a .kaon file with events to work on\n"
            << "  --read-only FILE  read a file that the workload left, print the memory it took\n"
            << "  --keep VARIANT    leave the file of this variant as WORKLOAD.kept.kaon\n"
            << "  --case CASE       measure only this, TASK/PROGRAM/VARIANT; may be repeated\n"
            << "  --variant VARIANT the same of the variants of a workload\n";
  std::exit(2);
}

Options parseOptions(int argc, char** argv, std::size_t defaultCount) {
  Options options;
  options.count = defaultCount;
  const auto number = [&](std::string_view text, auto& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value <= 0)
      usage(argv[0], defaultCount);
  };
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 == argc)
      usage(argv[0], defaultCount);
    const std::string_view value = argv[i + 1];
    if (option == "--n")
      number(value, options.count);
    else if (option == "--repeats")
      number(value, options.repeats);
    else if (option == "--dir")
      options.directory = value;
    else if (option == "--out")
      options.out = value;
    else if (option == "--input")
      options.input = value;
    else if (option == "--read-only")
      options.readOnly = value;
    else if (option == "--keep")
      options.keep = value;
    else if (option == "--case")
      options.cases.emplace_back(value);
    else if (option == "--variant")
      options.variants.emplace_back(value);
    else
      usage(argv[0], defaultCount);
  }
  return options;
}

} // namespace

int runWorkload(int argc, char** argv, std::size_t defaultCount,
                const std::function<void(const Options&)>& workload) try {
  // Uses one thread, unless the workload itself uses more, so that CPU time measures the work.
  const Options options = parseOptions(argc, argv, defaultCount);
  oneapi::tbb::task_arena(1).execute([&] { workload(options); });
  return 0;
} catch (const std::exception& error) {
  std::cerr << argv[0] << ": " << error.what() << "\n";
  return 1;
}

std::string nameOf(const Label& label) {
  std::string name = label.task + "/" + label.program;
  if (!label.variant.empty())
    name.append("/").append(label.variant);
  return name;
}

void expect(bool holds, std::string_view what) {
  if (!holds)
    throw std::runtime_error("wrong result: " + std::string(what));
}

Report::Report(std::string workload, Options options)
    : m_workload(std::move(workload)), m_options(std::move(options)) {}

Duration Report::now() { return {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)}; }

Duration Report::start() {
  startCounting();
  return now();
}

Duration Report::stop(const Label& label, const Duration& before) {
  const Duration after = now();
  stopCounting(nameOf(label));
  return {after.wall - before.wall, after.cpu - before.cpu};
}

bool Report::wants(const Label& label) const {
  return m_options.cases.empty() ||
         std::ranges::find(m_options.cases, nameOf(label)) != m_options.cases.end();
}

bool Report::wants(std::string_view variant) const {
  if (!m_options.variants.empty() &&
      std::ranges::find(m_options.variants, variant) == m_options.variants.end())
    return false;
  const std::string end = std::string("/").append(variant);
  return m_options.cases.empty() ||
         std::ranges::any_of(m_options.cases,
                             [&](const std::string& name) { return name.ends_with(end); });
}

bool Report::wantsMore(std::size_t runs, const Duration& begin) const {
  constexpr double enough = 2; // seconds
  return runs < m_options.repeats && (runs < 3 || now().wall - begin.wall < enough);
}

void Report::addTimes(const Label& label, const Unit& unit, std::vector<Duration> runs) {
  std::vector<double> cpu, wall;
  for (const Duration& run : runs) {
    cpu.push_back(run.cpu * unit.perSecond);
    wall.push_back(run.wall * unit.perSecond);
  }
  const std::vector<double>& figures = unit.clock == Clock::cpu ? cpu : wall;
  add(label, unit.name, median(figures));
  Row& row = m_rows.back();
  row.best = std::ranges::min(figures);
  row.wall = median(wall);
  row.runs = std::move(runs);
}

void Report::add(const Label& label, std::string_view unit, double value) {
  m_rows.push_back({label, std::string(unit), value, value, value, {}});
  std::printf("%-10s %-28s %-44s %-12s %10.4g %s\n", m_workload.c_str(), label.task.c_str(),
              label.program.c_str(), label.variant.c_str(), value, m_rows.back().unit.c_str());
  std::fflush(stdout);
}

void Report::save() const {
  for (const std::string& name : m_options.cases)
    if (std::ranges::none_of(m_rows, [&](const Row& row) { return nameOf(row.label) == name; }))
      throw std::runtime_error("there is no case '" + name + "'");
  if (m_options.out.empty())
    return;
  std::ofstream out(m_options.out);
  out << "{\n  \"workload\": " << quoted(m_workload) << ",\n  \"count\": " << m_options.count
      << ",\n  \"input\": " << quoted(m_options.input) << ",\n  \"rows\": [";
  const char* separator = "\n";
  for (const Row& row : m_rows) {
    out << separator << "    {\"task\": " << quoted(row.label.task)
        << ", \"program\": " << quoted(row.label.program)
        << ", \"variant\": " << quoted(row.label.variant)
        << ", \"role\": " << quoted(nameOf(row.label.role)) << ", \"unit\": " << quoted(row.unit)
        << ",\n     \"value\": " << row.value << ", \"best\": " << row.best
        << ", \"wall\": " << row.wall << ", \"seconds\": [";
    const char* comma = "";
    for (const Duration& run : row.runs) {
      out << comma << "{\"wall\": " << run.wall << ", \"cpu\": " << run.cpu << "}";
      comma = ", ";
    }
    out << "]}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
  if (!out.flush())
    throw std::runtime_error(m_options.out + ": cannot be written");
}

Memory memory() {
  Memory memory;
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    std::istringstream words(line);
    std::string name;
    double kib = 0;
    words >> name >> kib;
    if (name == "VmHWM:")
      memory.peak = kib * 1024e-6;
    else if (name == "RssAnon:")
      memory.anonymous = kib * 1024e-6;
  }
  return memory;
}

std::string runSelf(const std::string& arguments) {
  std::array<char, 4096> path{};
  const ::ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  expect(length > 0, "this program can be found");
  std::ostringstream command;
  command << "'" << path.data() << "' " << arguments;
  std::FILE* const pipe = ::popen(command.str().c_str(), "r");
  expect(pipe != nullptr, "this program can be run anew");
  std::string output;
  std::array<char, 256> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe))
    output += piece.data();
  expect(::pclose(pipe) == 0, "this program, run anew, succeeds");
  return output;
}

} // namespace bench
