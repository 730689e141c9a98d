#include <kaon/c/kaon.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/CompressionLevels.h>
#include <kaon/files/Files.h>
#include <kaon/formats/arrow/Stream.h>
#include <kaon/formats/arrow/StreamWriting.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

struct kaon_file {
  std::shared_ptr<const kaon::File> file;
  std::vector<std::string> categories;
};

struct kaon_writer {
  kaon::BatchWriter writer;
};

namespace {

static_assert(KAON_MEMORY == static_cast<int>(kaon::ErrorKind::memory) + 1,
              "the results are the kinds of errors, in their order");

constexpr const char* noMemory = "there is not enough memory";

thread_local std::string errorText;
thread_local const char* lastError = "";

void setError(const char* words) noexcept {
  try {
    errorText = words;
    lastError = errorText.c_str();
  } catch (const std::bad_alloc&) {
    lastError = noMemory;
  }
}

/// The call's result. No exception may leave what C calls.
template <class Call>
int guarded(Call call) noexcept {
  try {
    call();
    return KAON_OK;
  } catch (const kaon::Error& error) {
    setError(error.what());
    return static_cast<int>(error.kind()) + 1;
  } catch (const std::bad_alloc&) {
    lastError = noMemory;
    return KAON_MEMORY;
  } catch (const std::exception& exception) {
    setError(exception.what());
    return KAON_USAGE;
  }
}

} // namespace

const char* kaon_error() { return lastError; }

int kaon_open(const char* path, kaon_file** file) {
  return guarded([=] {
    auto opened = std::make_unique<kaon_file>(kaon::open(path));
    opened->categories = opened->file->categories();
    *file = opened.release();
  });
}

void kaon_close(kaon_file* file) { delete file; }

size_t kaon_category_count(const kaon_file* file) { return file->categories.size(); }

int kaon_category(const kaon_file* file, size_t number, const char** name, uint64_t* entries) {
  return guarded([=] {
    if (number >= file->categories.size())
      kaon::fail(kaon::ErrorKind::usage, file->file->name(), " has ", file->categories.size(),
                 " categories, there is no number ", number, " of them, counted from 0");
    const std::string& found = file->categories[number];
    *entries = file->file->category(found).entries();
    *name = found.c_str();
  });
}

int kaon_read(const kaon_file* file, const char* category, const char* const* columns,
              size_t column_count, uint64_t first, uint64_t last, ArrowArrayStream* stream) {
  return guarded([=] {
    *stream = kaon::arrow::streamOf(file->file, category, {columns, columns + column_count},
                                    {.entries = {first, last}});
  });
}

int kaon_create(const char* path, const char* codec, int level, kaon_writer** writer) {
  return guarded([=] {
    kaon::WriterOptions options;
    if (codec) {
      options.codec = {kaon::codecNamed(codec), level};
      kaon::checkLevel(options.codec);
    }
    *writer = new kaon_writer{kaon::batchWriter(path, std::move(options))};
  });
}

int kaon_write(kaon_writer* writer, const char* category, const ArrowSchema* schema,
               const ArrowArray* entries) {
  return guarded([=] { kaon::arrow::writeArray(*schema, *entries, category, writer->writer); });
}

int kaon_finish(kaon_writer* writer) {
  const std::unique_ptr<kaon_writer> owned(writer);
  return guarded([&] { owned->writer.finish(); });
}

void kaon_abandon(kaon_writer* writer) {
  const std::unique_ptr<kaon_writer> owned(writer);
  if (owned)
    owned->writer.abandon();
}
