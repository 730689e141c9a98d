#include <kaon/tools/FileCopy.h>

#include <kaon/base/Error.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/Provenance.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/selecting/CommonFile.h>
#include <kaon/writing/OptionNames.h>

#include <algorithm>
#include <map>
#include <utility>

namespace kaon {

FileCopy::FileCopy(std::vector<std::shared_ptr<const File>> files, const WriterOptions& options)
    : m_files(std::move(files)), m_options(options), m_rules(options.rules()) {
  checkNames();
  useCommonTables();
  for (const auto& file : m_files)
    for (const std::string& name : file->categories())
      categoryNamed(name).add(file->category(name));
}

/// Makes columns optional in all files that are optional in one of them, or that one of them lacks.
void FileCopy::useCommonTables() {
  detail::CopiedTables tables;
  for (const auto& file : m_files)
    tables.add(*file);
  for (auto& file : m_files)
    file = tables.applyTo(std::move(file));
}

CategoryCopy& FileCopy::categoryNamed(const std::string& name) {
  const auto known = std::ranges::find(m_categories, name, &CategoryCopy::name);
  return known == m_categories.end() ? m_categories.emplace_back(name, m_rules) : *known;
}

void FileCopy::leaveOut(const std::string& category) {
  m_categories.remove_if([&](const CategoryCopy& copy) { return copy.name() == category; });
}

/// Throws unless some category has each name in the options.
void FileCopy::checkNames() const {
  OptionNames names;
  for (const auto& file : m_files)
    for (const std::string& category : file->categories())
      names.add(detail::schemaBy(m_rules, file->category(category).schema()));
  for (const OptionNames::Unknown& unknown : names.unknownIn(m_options))
    fail(ErrorKind::name, m_files.front()->name(), ": has no ", unknown.what, " '", unknown.name,
         "'", unknown.advice);
}

void FileCopy::warnOfUnreadable() const {
  for (const auto& file : m_files)
    for (const std::string& name : file->categories())
      kaon::warnOfUnreadable(file->category(name), "are left out");
}

std::vector<const ObjectStore*> FileCopy::objectStores() const {
  std::vector<const ObjectStore*> stores;
  for (const auto& file : m_files)
    if (const ObjectStore* const store = file->objectStore())
      stores.push_back(store);
  return stores;
}

bool FileCopy::isOfNothing(const Format& format) const {
  return m_categories.empty() &&
         std::ranges::all_of(m_files, [](const auto& file) { return file->documents().empty(); }) &&
         std::ranges::all_of(objectStores(), [&](const ObjectStore* store) {
           return !format.holdsObjects || store->objects().empty();
         });
}

std::vector<ModelDatatypes::Document> FileCopy::models() const {
  std::vector<const File*> files;
  for (const auto& file : m_files)
    files.push_back(file.get());
  return detail::modelsIn(files);
}

/// Returns the options for the sink. Sorted keys may be members of collections, whose tables do not
/// show that they are keys. They stay keys if all files have them.
SinkOptions FileCopy::sinkOptions() const {
  SinkOptions all = m_options.forSink();
  for (const auto& file : m_files)
    for (const std::string& category : file->categories())
      if (const Source* const sorted = file->category(category).sortedKeys())
        for (const Table& key : sorted->schema().tables())
          if (key.name != detail::entryOfKeys &&
              std::ranges::find(all.keys, key.name) == all.keys.end() &&
              isKeyOfAll(category, key.name))
            all.keys.emplace_back(key.name);
  return all;
}

/// Whether a key finds all entries of a category.
bool FileCopy::isKeyOfAll(const std::string& category, std::string_view key) const {
  return std::ranges::all_of(m_files, [&](const auto& file) {
    const std::vector<std::string> names = file->categories();
    if (std::ranges::find(names, category) == names.end())
      return true;
    const Source& source = file->category(category);
    return source.entries() == 0 || findKey(source.schema(), key);
  });
}

std::uint64_t FileCopy::entries() const {
  std::uint64_t entries = 0;
  for (const CategoryCopy& category : m_categories)
    entries += category.entries();
  return entries;
}

void FileCopy::write(BatchWriter& out, const Progress& progress) const {
  writeDocuments(out);
  ProgressCount count(progress, entries());
  for (const bool leading : {true, false})
    for (const CategoryCopy& category : m_categories)
      if (out.isLeading(category.name()) == leading)
        category.write(out, count);
}

std::vector<WrittenEntryCounts> FileCopy::writeStored(BatchWriter& out, Sink& sink,
                                                      const Progress& progress) const {
  writeDocuments(out);
  ProgressCount count(progress, entries());
  std::vector<WrittenEntryCounts> written;
  for (const CategoryCopy& category : m_categories)
    written.push_back(category.writeStored(out, sink, count));
  return written;
}

void FileCopy::writeDocuments(BatchWriter& out) const {
  std::map<std::string, std::string> documents;
  std::vector<Metadata> metadata;
  for (const auto& file : m_files)
    for (const std::string& name : file->documents()) {
      const auto [known, isNew] = documents.try_emplace(name, file->document(name));
      if (name == detail::metadataDocument)
        metadata.push_back(readMetadata(*file));
      else if (!isNew && !idOfSource(name) && known->second != file->document(name))
        fail(ErrorKind::usage, file->name(), ": its document '", name,
             "' differs from that of earlier files; to join files of different versions of a "
             "model, give the model that all of them get");
    }
  if (m_files.size() > 1 && !metadata.empty()) {
    std::vector<std::string> mistakes;
    documents.insert_or_assign(std::string(detail::metadataDocument),
                               Metadata::merged(metadata, &mistakes).toJson());
    for (const std::string& mistake : mistakes)
      warn(WarningKind::lostMetadata, out.name() + ": " + mistake);
  }
  for (const auto& [name, text] : documents)
    out.putDocument(name, text);
}

} // namespace kaon
