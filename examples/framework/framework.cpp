// Runs algorithms of plugins on events in all threads, and writes the events to 16 files. The
// framework knows no datatype: plugins bring the model.
#include "Algorithm.h"

#include <kaon/base/Tasks.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr int numOutputs = 16;

/// A shared library, loaded by name: "simulate" is libsimulate.so. Its symbols stay its own.
class Plugin {
public:
  explicit Plugin(std::string_view name)
      : m_library(::dlopen(("lib" + std::string(name) + ".so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!m_library)
      throw std::runtime_error(::dlerror());
  }
  void addTo(Algorithms& algorithms) const {
    void* const function = ::dlsym(m_library.get(), "addAlgorithms");
    if (!function)
      throw std::runtime_error(::dlerror());
    std::bit_cast<AddAlgorithms*>(function)(algorithms);
  }

private:
  struct Close {
    void operator()(void* library) const { ::dlclose(library); }
  };
  std::unique_ptr<void, Close> m_library;
};

/// A file that any thread may write to.
class Output {
public:
  explicit Output(std::string path) : m_path(std::move(path)), m_writer(m_path) {}
  void write(const kaon::Frame& event) {
    const std::lock_guard lock(m_mutex);
    m_writer.write(event, "events");
  }
  /// Finishes the file and returns the number of its events.
  std::uint64_t finish() {
    m_writer.finish();
    const kaon::Reader reader(m_path);
    return reader.categories().empty() ? 0 : reader["events"].size();
  }

private:
  std::string m_path;
  kaon::Writer m_writer;
  std::mutex m_mutex;
};

} // namespace

int main(int count, char** arguments) try {
  const std::vector<std::string> words(arguments, arguments + count);
  if (words.size() < 4) {
    std::cerr << "usage: framework EVENTS DIRECTORY PLUGIN...\n";
    return EXIT_FAILURE;
  }
  const std::size_t numEvents = std::stoul(words[1]);
  const std::filesystem::path directory(words[2]);

  std::vector<Plugin> plugins; // closed after the algorithms are destroyed
  Algorithms algorithms;
  for (std::size_t i = 3; i < words.size(); ++i)
    plugins.emplace_back(words[i]).addTo(algorithms);

  std::filesystem::create_directories(directory);
  std::array<std::optional<Output>, numOutputs> outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i].emplace(directory / ("output_" + std::to_string(i) + ".kaon"));

  kaon::forEach(numEvents, [&](std::size_t number) {
    kaon::Frame event; // the event store of this thread
    event.putParameter("event", static_cast<int>(number));
    for (const auto& algorithm : algorithms)
      algorithm->process(event);
    const int output = event.getParameter<int>("output").value_or(0);
    outputs.at(static_cast<std::size_t>(std::clamp(output, 0, numOutputs - 1)))->write(event);
  });

  std::uint64_t written = 0;
  for (auto& output : outputs)
    written += output->finish();
  std::cout << written << " events in " << numOutputs << " files\n";
  return written == numEvents ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
