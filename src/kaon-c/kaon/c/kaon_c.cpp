#include <kaon/c/kaon_c.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/CompressionLevels.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetStream.h>
#include <kaon/dataset/FilesMatching.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/files/Files.h>
#include <kaon/formats/arrow/Stream.h>
#include <kaon/model/Metadata.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct kaon_file {
  std::vector<std::string> paths;
  std::shared_ptr<const kaon::File> first;
  std::vector<std::string> categories;
  std::mutex mutex;                                                         // guards `metadata`
  std::optional<std::vector<std::pair<std::string, std::string>>> metadata; // read on demand

  [[nodiscard]] kaon::Dataset dataset(const char* category) const {
    return {{kaon::Sample{{}, paths}}, category, {}, first};
  }
};

struct kaon_writer {
  kaon::BatchWriter writer;
  kaon::Metadata metadata = {};
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

/// Returns the call's result. No exception may reach C.
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

/// Returns keys and values as texts.
std::vector<std::pair<std::string, std::string>> textsOf(const kaon::Metadata& metadata) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const std::string& key : metadata.keys()) {
    const kaon::Json& value = *metadata.find(key);
    const auto* const text = value.as<std::string>();
    texts.emplace_back(key, text ? *text : value.text());
  }
  return texts;
}

const std::vector<std::pair<std::string, std::string>>& metadataOf(kaon_file& file) {
  const std::lock_guard lock(file.mutex);
  if (!file.metadata)
    file.metadata = textsOf(kaon::readMetadata(*file.first));
  return *file.metadata;
}

} // namespace

const char* kaon_error() { return lastError; }

int kaon_open(const char* path, kaon_file** file) { return kaon_open_all(&path, 1, file); }

int kaon_open_all(const char* const* paths, size_t path_count, kaon_file** file) {
  return guarded([=] {
    auto opened = std::make_unique<kaon_file>();
    for (size_t i = 0; i < path_count; ++i)
      std::ranges::move(kaon::filesMatching(paths[i]), std::back_inserter(opened->paths));
    if (opened->paths.empty())
      kaon::fail(kaon::ErrorKind::usage, "give the path of at least one file");
    opened->first = kaon::open(opened->paths.front());
    opened->categories = opened->first->categories();
    *file = opened.release();
  });
}

void kaon_close(kaon_file* file) { delete file; }

size_t kaon_category_count(const kaon_file* file) { return file->categories.size(); }

const char* kaon_category_name(const kaon_file* file, size_t number) {
  return number < file->categories.size() ? file->categories[number].c_str() : nullptr;
}

int kaon_entries(const kaon_file* file, const char* category, uint64_t* entries) {
  return guarded([=] { *entries = file->dataset(category).entries(); });
}

int kaon_metadata_count(kaon_file* file, size_t* count) {
  return guarded([=] { *count = metadataOf(*file).size(); });
}

int kaon_metadata(kaon_file* file, size_t number, const char** key, const char** value) {
  return guarded([=] {
    const auto& metadata = metadataOf(*file);
    const bool isThere = number < metadata.size();
    *key = isThere ? metadata[number].first.c_str() : nullptr;
    *value = isThere ? metadata[number].second.c_str() : nullptr;
  });
}

int kaon_read(const kaon_file* file, const char* category, const char* cut,
              const char* const* columns, size_t column_count, uint64_t first, uint64_t last,
              ArrowArrayStream* stream) {
  return guarded([=] {
    *stream = kaon::streamOf(std::make_shared<const kaon::Dataset>(file->dataset(category)),
                             {{columns, columns + column_count}, cut ? cut : "", {first, last}});
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

int kaon_copy_documents(kaon_writer* writer, const kaon_file* file) {
  return guarded([=] {
    kaon::Metadata metadata = kaon::readMetadata(*file->first);
    for (const std::string& key : writer->metadata.keys()) // keys that were set take precedence
      metadata.set(key, *writer->metadata.find(key), writer->metadata.rule(key));
    writer->metadata = std::move(metadata);
    for (const std::string& name : file->first->documents())
      if (name != kaon::detail::metadataDocument)
        writer->writer.putDocument(name, file->first->document(name));
  });
}

int kaon_set_metadata(kaon_writer* writer, const char* key, const char* value) {
  return guarded([=] { writer->metadata.set(key, value); });
}

int kaon_finish(kaon_writer* writer) {
  const std::unique_ptr<kaon_writer> owned(writer);
  return guarded([&] {
    if (!owned->metadata.keys().empty() || !owned->metadata.parts().empty())
      owned->writer.putDocument(kaon::detail::metadataDocument, owned->metadata.toJson());
    owned->writer.finish();
  });
}

void kaon_abandon(kaon_writer* writer) {
  const std::unique_ptr<kaon_writer> owned(writer);
  if (owned)
    owned->writer.abandon();
}
