#include <kaon/detail/formats/arrow/ArraySource.h>

#include <kaon/base/Error.h>

#include <cerrno>
#include <exception>
#include <new>
#include <utility>

namespace kaon::arrow {
namespace {

struct StreamMemory {
  std::unique_ptr<ArraySource> arrays;
  std::exception_ptr error = {}; // of the last call
};

StreamMemory& memoryOf(ArrowArrayStream* stream) {
  return *static_cast<StreamMemory*>(stream->private_data);
}

int codeOf(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::io:
    return EIO;
  case ErrorKind::missing:
    return ENOENT;
  case ErrorKind::corrupt:
    return EBADMSG;
  case ErrorKind::version:
    return ENOTSUP;
  case ErrorKind::memory:
    return ENOMEM;
  case ErrorKind::name:
  case ErrorKind::type:
  case ErrorKind::usage:
    break;
  }
  return EINVAL;
}

/// Calls a function for C, which cannot catch exceptions. Keeps the error and returns its code.
template <class Call>
int guarded(ArrowArrayStream* stream, Call call) noexcept {
  StreamMemory& memory = memoryOf(stream);
  try {
    memory.error = nullptr;
    call(*memory.arrays);
    return 0;
  } catch (const Error& error) {
    memory.error = std::current_exception();
    return codeOf(error.kind());
  } catch (const std::bad_alloc&) {
    memory.error = std::current_exception();
    return ENOMEM;
  } catch (...) {
    memory.error = std::current_exception();
    return EINVAL;
  }
}

int getSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [out](const ArraySource& arrays) { *out = arrays.schema(); });
}

int getNext(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](ArraySource& arrays) { *out = arrays.next(); });
}

const char* getLastError(ArrowArrayStream* stream) {
  const std::exception_ptr& error = memoryOf(stream).error;
  if (!error)
    return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& exception) {
    return exception.what(); // valid while `error` holds the exception
  } catch (...) {
    return "an unknown exception";
  }
}

void releaseStream(ArrowArrayStream* stream) {
  delete &memoryOf(stream);
  stream->release = nullptr;
}

} // namespace

ArrowArrayStream streamOf(std::unique_ptr<ArraySource> arrays) {
  ArrowArrayStream stream{};
  stream.get_schema = getSchema;
  stream.get_next = getNext;
  stream.get_last_error = getLastError;
  stream.release = releaseStream;
  stream.private_data = new StreamMemory{std::move(arrays)};
  return stream;
}

} // namespace kaon::arrow
