#include <kaon/formats/memory/MemoryFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/memory/MemoryCategory.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <random>
#include <utility>

namespace kaon::memory {
namespace {

struct MemoryBatch final : detail::EncodedBatch {
  std::string category;
  std::unique_ptr<JoinedBatch> data;
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return static_cast<std::size_t>(data->bytes());
  }
};

} // namespace

/// Keeps batches until it is finished.
class MemorySink final : public Sink {
public:
  explicit MemorySink(std::shared_ptr<MemoryFile> file) : m_file(std::move(file)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_file->m_name; }

  [[nodiscard]] Schema schema(std::string_view category) const override {
    const std::lock_guard lock(m_mutex);
    return knownSchema(category);
  }

  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override {
    auto encoded = std::make_unique<MemoryBatch>();
    encoded->category = category;
    encoded->data = std::make_unique<JoinedBatch>(splitSchema(batch.schema()));
    extend(category, encoded->data->schema());
    encoded->data->append(batch);
    return encoded;
  }

  void append(std::unique_ptr<detail::EncodedBatch> batch) override {
    auto* const own = dynamic_cast<MemoryBatch*>(batch.get());
    if (!own)
      fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
    const std::lock_guard lock(m_mutex);
    checkOpen();
    m_batches.emplace_back(std::move(own->category), std::move(own->data));
  }

  void addDocument(std::string_view documentName, std::string_view text) override {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    m_documents.insert_or_assign(std::string(documentName), std::string(text));
  }

  void finish() override {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    m_open = false;
    for (auto& [category, data] : m_batches)
      categoryOf(category).append(std::move(data));
    for (auto& [documentName, text] : m_documents)
      m_file->m_documents.insert_or_assign(documentName, std::move(text));
  }

private:
  void checkOpen() const {
    if (!m_open)
      fail(ErrorKind::usage, name(), ": is finished; nothing can be written");
  }
  [[nodiscard]] Schema knownSchema(std::string_view category) const {
    const auto known = m_schemas.find(category);
    if (known != m_schemas.end())
      return known->second;
    for (const auto& written : m_file->m_categories)
      if (written->categoryName() == category)
        return written->schema();
    return {};
  }
  /// Adds the new tables of a batch.
  void extend(std::string_view category, const Schema& schema) {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    Schema known = knownSchema(category);
    checkKnownTables(schema, known, name(), category);
    for (TableNumber table = known.size(); table < schema.size(); ++table)
      known.add(schema.table(table).definition());
    m_schemas.insert_or_assign(std::string(category), std::move(known));
  }
  MemoryCategory& categoryOf(const std::string& category) {
    auto& all = m_file->m_categories;
    const auto place = std::ranges::find_if(
        all, [&](const auto& each) { return each->categoryName() == category; });
    return place != all.end()
               ? **place
               : *all.emplace_back(std::make_unique<MemoryCategory>(name(), category));
  }

  std::shared_ptr<MemoryFile> m_file;
  mutable std::mutex m_mutex; // guards all members below
  std::map<std::string, Schema, std::less<>> m_schemas;
  std::vector<std::pair<std::string, std::unique_ptr<JoinedBatch>>> m_batches;
  std::map<std::string, std::string, std::less<>> m_documents;
  bool m_open = true;
};

MemoryFile::MemoryFile(std::string name) : m_name(std::move(name)) {
  std::random_device random;
  m_id = (std::uint64_t{random()} << 32) | random();
}
MemoryFile::~MemoryFile() = default;

std::shared_ptr<MemoryFile> MemoryFile::make(std::string name) {
  return std::shared_ptr<MemoryFile>(new MemoryFile(std::move(name)));
}

std::unique_ptr<Sink> MemoryFile::sink() {
  return std::make_unique<MemorySink>(shared_from_this());
}

std::uint64_t MemoryFile::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& category : m_categories)
    sum += category->bytes();
  return sum;
}

std::vector<std::string> MemoryFile::categories() const {
  std::vector<std::string> names;
  for (const auto& category : m_categories)
    names.push_back(category->categoryName());
  return names;
}

const Source& MemoryFile::category(std::string_view name) const {
  for (const auto& category : m_categories)
    if (category->categoryName() == name)
      return *category;
  fail(ErrorKind::name, m_name, ": has no category '", name, "'", suggestion(name, categories()));
}

std::vector<std::string> MemoryFile::documents() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : m_documents)
    names.push_back(name);
  return names;
}

std::string MemoryFile::document(std::string_view name) const {
  const auto document = m_documents.find(name);
  if (document == m_documents.end())
    fail(ErrorKind::name, m_name, ": has no document '", name, "'", suggestion(name, documents()));
  return document->second;
}

} // namespace kaon::memory
