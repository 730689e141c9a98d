#include "PythonSource.h"

#include <kaon/base/Error.h>
#include <kaon/batch/Source.h>
#include <kaon/io/DistantSource.h>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <optional>
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

class PythonSource final : public io::ByteSource {
public:
  PythonSource(const std::string& name, std::uint64_t size, nb::callable fetch) : ByteSource(name) {
    PythonFetch call(name, std::move(fetch));
    const WaitingForOthers waiting;
    m_source = io::distantSource(name, size, std::move(call), 2 * OpenOptions().memoryBudget);
  }
  ~PythonSource() override {
    const WaitingForOthers waiting;
    m_source.reset();
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size(); }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    m_source->prefetch(ranges);
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    const WaitingForOthers waiting;
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }

  std::unique_ptr<io::ByteSource> m_source;
};

} // namespace

std::unique_ptr<io::ByteSource> pythonSource(std::string name, std::uint64_t size,
                                             nb::callable fetch) {
  return std::make_unique<PythonSource>(name, size, std::move(fetch));
}

} // namespace kaon::python
