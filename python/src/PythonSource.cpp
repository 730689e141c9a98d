#include "PythonSource.h"

#include <kaon/base/Error.h>
#include <kaon/batch/Source.h>
#include <kaon/io/DistantSource.h>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace nb = nanobind;

namespace kaon::python {
namespace {

/// Lets other threads run Python while this one waits for them, if it is this one that may.
class WaitingForOthers {
public:
  WaitingForOthers() {
    if (PyGILState_Check())
      m_release.emplace();
  }

private:
  std::optional<nb::gil_scoped_release> m_release;
};

void copyBytes(const nb::handle& object, std::span<std::byte> place, const std::string& name) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_SIMPLE) != 0)
    throw nb::python_error();
  const auto count = static_cast<std::size_t>(buffer.len);
  if (count == place.size())
    std::memcpy(place.data(), buffer.buf, count);
  PyBuffer_Release(&buffer);
  if (count != place.size())
    fail(ErrorKind::io, name, ": gave ", count, " bytes where ", place.size(),
         " were asked for; has the file changed?");
}

/// Calls a function of Python, which is let go with the GIL.
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
    const nb::gil_scoped_acquire acquire;
    try {
      nb::list wanted;
      for (const io::ByteRange& range : ranges)
        wanted.append(nb::make_tuple(range.offset, range.offset + range.count));
      const nb::object got = (*m_fetch)(wanted);
      if (nb::len(got) != places.size())
        fail(ErrorKind::io, m_name, ": gave ", nb::len(got), " pieces where ", places.size(),
             " were asked for");
      for (std::size_t i = 0; i < places.size(); ++i)
        copyBytes(got[i], places[i], m_name);
    } catch (const nb::python_error& error) {
      const std::string type = nb::cast<std::string>(error.type().attr("__name__"));
      fail(ErrorKind::io, m_name, ": cannot be read: ", type, ": ",
           nb::cast<std::string>(nb::str(error.value())));
    }
  }

private:
  std::string m_name;
  std::shared_ptr<nb::callable> m_fetch;
};

/// What it fetches in the background is waited for when it goes, or when Python ends: after that a
/// thread that wants the GIL would wait for ever.
class PythonSource final : public io::ByteSource {
public:
  PythonSource(const std::string& name, std::uint64_t size, nb::callable fetch)
      : ByteSource(name), m_size(size) {
    PythonFetch call(name, std::move(fetch));
    const WaitingForOthers waiting;
    m_source.store(io::distantSource(name, size, std::move(call), 2 * OpenOptions().memoryBudget));
    const std::scoped_lock lock(mutexOfAll());
    all().insert(this);
  }
  ~PythonSource() override {
    const WaitingForOthers waiting;
    const std::scoped_lock lock(mutexOfAll());
    all().erase(this);
    m_source.store(nullptr);
  }
  /// Ends those that there are.
  static void endAll() {
    const WaitingForOthers waiting;
    const std::scoped_lock lock(mutexOfAll());
    for (PythonSource* const each : all())
      each->m_source.store(nullptr);
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    if (const auto source = m_source.load())
      source->prefetch(ranges);
  }
  [[nodiscard]] bool isDistant() const noexcept override { return true; }
  [[nodiscard]] std::shared_ptr<const void>
  hold(std::span<const io::ByteRange> ranges) const override {
    const auto source = m_source.load();
    if (!source)
      return nullptr;
    auto held = source->hold(ranges); // which must not outlive the source
    return {held.get(), [source, held](const void*) mutable {
              const WaitingForOthers waiting;
              held.reset();
            }};
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    const WaitingForOthers waiting;
    const auto source = m_source.load();
    if (!source)
      fail(ErrorKind::io, name(), ": cannot be read while Python ends");
    std::ranges::copy(source->views(ranges, scratch), views.begin());
  }
  static std::mutex& mutexOfAll() {
    static std::mutex mutex;
    return mutex;
  }
  static std::set<PythonSource*>& all() {
    static std::set<PythonSource*> sources;
    return sources;
  }

  std::uint64_t m_size;
  std::atomic<std::shared_ptr<const io::ByteSource>> m_source;
};

} // namespace

std::unique_ptr<io::ByteSource> pythonSource(std::string name, std::uint64_t size,
                                             nb::callable fetch) {
  return std::make_unique<PythonSource>(name, size, std::move(fetch));
}

void endPythonSources() { PythonSource::endAll(); }

} // namespace kaon::python
