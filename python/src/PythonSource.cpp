#include "PythonSource.h"

#include "NamedSource.h"

#include <kaon/base/Error.h>
#include <kaon/base/Forks.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Source.h>
#include <kaon/files/Files.h>
#include <kaon/io/DistantSource.h>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace nb = nanobind;

namespace kaon::python {
namespace {

/// Releases the GIL during its lifetime if this thread holds it, so that other threads can run
/// Python.
class WaitingForOthers {
public:
  WaitingForOthers() {
    if (PyGILState_Check())
      m_release.emplace();
  }

private:
  std::optional<nb::gil_scoped_release> m_release;
};

/// Returns the kind of an error of a file; nothing for other exceptions, such as interrupts.
std::optional<ErrorKind> knownKind(const nb::python_error& error) {
  constexpr std::pair<const char*, ErrorKind> kinds[] = {
      {"MissingFileError", ErrorKind::missing}, {"CorruptFileError", ErrorKind::corrupt},
      {"FormatError", ErrorKind::version},      {"FileError", ErrorKind::io},
      {"WrongTypeError", ErrorKind::type},      {"UsageError", ErrorKind::usage}};
  const nb::module_ errors = nb::module_::import_("kaon.errors");
  for (const auto& [name, kind] : kinds)
    if (error.matches(errors.attr(name)))
      return kind;
  return std::nullopt;
}

std::string messageOf(const nb::python_error& error) {
  return nb::cast<std::string>(nb::str(error.value()));
}

void copyBytes(const nb::handle& object, std::span<std::byte> place, const std::string& name) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_SIMPLE) != 0)
    throw nb::python_error();
  const auto count = static_cast<std::size_t>(buffer.len);
  if (count == place.size())
    std::memcpy(place.data(), buffer.buf, count);
  PyBuffer_Release(&buffer);
  if (count != place.size())
    fail(ErrorKind::io, name, ": returned ", count, " bytes instead of ", place.size(),
         "; has the file changed?");
}

/// Counts the requests that Python is serving. Once Python ends, a thread that requests the GIL
/// never returns, and may not even return from C++. Reading threads therefore wait until the
/// process ends. The thread that ends Python gets an error instead.
class Fetching {
public:
  static void begin(const std::string& name) {
    std::unique_lock lock(all().mutex);
    stayAtEnd(lock, name);
    ++all().running;
  }
  static void end(const std::string& name) {
    std::unique_lock lock(all().mutex);
    --all().running;
    all().changed.notify_all();
    stayAtEnd(lock, name);
  }
  /// Returns only if Python is not ending.
  static void check(const std::string& name) {
    std::unique_lock lock(all().mutex);
    stayAtEnd(lock, name);
  }
  /// Waits for running requests and prevents new ones.
  static void endAll() {
    const WaitingForOthers waiting;
    std::unique_lock lock(all().mutex);
    all().hasEnded = true;
    all().ending = std::this_thread::get_id();
    all().changed.wait(lock, [] { return all().running == 0; });
  }
  [[nodiscard]] static bool hasEnded() {
    const std::scoped_lock lock(all().mutex);
    return all().hasEnded;
  }

private:
  struct State {
    std::mutex mutex; // of the members below
    std::condition_variable changed;
    std::size_t running = 0;
    bool hasEnded = false;
    std::thread::id ending;
  };
  static State& all() {
    static const OfProcess<State>& state = *new OfProcess<State>; // waiting threads use it for ever
    return state.get();
  }
  static void stayAtEnd(std::unique_lock<std::mutex>& lock, const std::string& name) {
    if (!all().hasEnded)
      return;
    if (all().ending == std::this_thread::get_id())
      fail(ErrorKind::io, name, ": cannot be read while Python ends");
    all().changed.wait(lock, [] { return false; });
  }
};

/// Calls a Python function to fetch bytes. Holds the GIL when it calls or destroys the function.
class PythonFetch {
public:
  PythonFetch(std::string name, nb::callable fetch)
      : m_name(std::move(name)),
        m_fetch(new nb::callable(std::move(fetch)), [](nb::callable* call) {
          const nb::gil_scoped_acquire acquire;
          delete call;
        }) {}

  void operator()(std::span<const io::ByteRange> ranges,
                  std::span<const std::span<std::byte>> places) const {
    Fetching::begin(m_name);
    std::exception_ptr failure;
    try {
      fetch(ranges, places);
    } catch (...) {
      failure = std::current_exception();
    }
    Fetching::end(m_name);
    if (failure)
      std::rethrow_exception(failure);
  }

private:
  void fetch(std::span<const io::ByteRange> ranges,
             std::span<const std::span<std::byte>> places) const {
    const nb::gil_scoped_acquire acquire;
    try {
      nb::list wanted;
      for (const io::ByteRange& range : ranges)
        wanted.append(nb::make_tuple(range.offset, range.offset + range.count));
      const nb::object got = (*m_fetch)(wanted);
      if (nb::len(got) != places.size())
        fail(ErrorKind::io, m_name, ": returned ", nb::len(got), " pieces instead of ",
             places.size());
      for (std::size_t i = 0; i < places.size(); ++i)
        copyBytes(got[i], places[i], m_name);
    } catch (const nb::python_error& error) {
      if (error.matches(nb::module_::import_("kaon.errors").attr("Error")))
        fail(knownKind(error).value_or(ErrorKind::io), messageOf(error));
      const std::string type = nb::cast<std::string>(error.type().attr("__name__"));
      fail(ErrorKind::io, m_name, ": cannot be read: ", type, ": ",
           nb::cast<std::string>(nb::str(error.value())));
    }
  }

  std::string m_name;
  std::shared_ptr<nb::callable> m_fetch;
};

/// A file that Python reads. Releases the GIL while it waits, so that other threads can run Python.
class PythonSource final : public io::ByteSource {
public:
  PythonSource(const std::string& name, std::uint64_t size, nb::callable fetch)
      : ByteSource(name), m_size(size) {
    PythonFetch call(name, std::move(fetch));
    const WaitingForOthers waiting;
    m_source = io::distantSource(name, size, std::move(call), 2 * OpenOptions().memoryBudget);
  }
  ~PythonSource() override {
    const WaitingForOthers waiting;
    if (Fetching::hasEnded())
      (void)m_source.release(); // its threads may wait for ever
    m_source.reset();
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    m_source->prefetch(ranges);
  }
  [[nodiscard]] bool isDistant() const noexcept override { return true; }
  [[nodiscard]] std::shared_ptr<const void>
  hold(std::span<const io::ByteRange> ranges) const override {
    auto held = m_source->hold(ranges);
    return {held.get(), [held](const void*) mutable {
              const WaitingForOthers waiting;
              held.reset();
            }};
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    const WaitingForOthers waiting;
    Fetching::check(name());
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }

  std::uint64_t m_size;
  std::unique_ptr<io::ByteSource> m_source;
};

std::unique_ptr<io::ByteSource> sourceAtUrl(const std::string& url) {
  const nb::gil_scoped_acquire acquire;
  try {
    const nb::object file = nb::module_::import_("kaon.files.distant").attr("file_at_url")(url);
    return pythonSource(url, nb::cast<std::uint64_t>(file.attr("size")),
                        nb::cast<nb::callable>(file.attr("fetch")));
  } catch (const nb::python_error& error) {
    fail(knownKind(error).value_or(ErrorKind::io), messageOf(error));
  }
}

/// Returns a temporary copy of a table file, with the name of the original. Unreadable columns are
/// reported by warn(). Exceptions that are not errors of the file pass through unchanged.
std::unique_ptr<io::ByteSource> copyOfTable(const std::string& path) {
  const nb::gil_scoped_acquire acquire;
  std::unique_ptr<io::ByteSource> copy;
  const auto use = nb::cpp_function([&](const std::string& at) {
    copy = std::make_unique<NamedSource>(path, io::fileSource(at));
  });
  try {
    const nb::object left =
        nb::module_::import_("kaon.files.table_files").attr("use_copy")(path, use);
    if (const auto text = nb::cast<std::string>(left); !text.empty())
      warn(WarningKind::unreadMember, text);
  } catch (const nb::python_error& error) {
    if (const auto kind = knownKind(error))
      fail(*kind, messageOf(error));
    throw;
  }
  return copy;
}

} // namespace

std::unique_ptr<io::ByteSource> pythonSource(std::string name, std::uint64_t size,
                                             nb::callable fetch) {
  return std::make_unique<PythonSource>(name, size, std::move(fetch));
}

void openUrlsByPython() { openUrlsBy(&sourceAtUrl); }

void openTablesByPython() { openTablesBy(&copyOfTable); }

void endPythonSources() {
  openUrlsBy(nullptr);
  openTablesBy(nullptr);
  Fetching::endAll();
}

} // namespace kaon::python
