#include <kaon/event/FileMetadata.h>

#include <kaon/base/Warning.h>

#include <algorithm>

namespace kaon {
namespace {

bool hasSame(const Metadata* metadata, const Metadata& other, std::string_view key) {
  const Json* const value = metadata ? metadata->find(key) : nullptr;
  return value && *value == *other.find(key) && metadata->rule(key) == other.rule(key);
}

/// Calls `use(metadata, other)` for the metadata and each of its parts. `other` is the part of the
/// same name in the other metadata, or null.
template <class M, class Use>
void forEachPart(M& metadata, const Metadata* other, const Use& use) {
  use(metadata, other);
  for (const std::string& name : metadata.parts()) {
    const Metadata* const part = other ? other->findPart(name) : nullptr;
    if constexpr (std::is_const_v<M>)
      forEachPart(*metadata.findPart(name), part, use);
    else
      forEachPart(metadata.part(name), part, use);
  }
}

/// Returns the values that both have.
Metadata common(Metadata metadata, const Metadata& other) {
  forEachPart(metadata, &other, [](Metadata& part, const Metadata* kept) {
    for (const std::string& key : part.keys())
      if (!hasSame(kept, part, key))
        part.remove(key);
  });
  return metadata;
}

/// Returns the values that only `metadata` has.
Metadata difference(Metadata metadata, const Metadata& other) {
  forEachPart(metadata, &other, [](Metadata& part, const Metadata* known) {
    for (const std::string& key : part.keys())
      if (hasSame(known, part, key))
        part.remove(key);
  });
  return metadata;
}

/// Returns the metadata without the keys that `other` has.
Metadata without(Metadata metadata, const Metadata& other) {
  forEachPart(metadata, &other, [](Metadata& part, const Metadata* taken) {
    for (const std::string& key : part.keys())
      if (taken && taken->find(key))
        part.remove(key);
  });
  return metadata;
}

/// Also sets the values of the other metadata.
void setAll(Metadata& metadata, const Metadata& other) {
  for (const std::string& key : other.keys())
    metadata.set(key, *other.find(key), other.rule(key));
  for (const std::string& name : other.parts())
    setAll(metadata.part(name), *other.findPart(name));
}

std::string categoryName(const File& file, const Source& category) {
  for (const std::string& name : file.categories())
    if (&file.category(name) == &category)
      return name;
  return "";
}

} // namespace

Metadata readMetadata(const File& file) {
  const std::vector<std::string> names = file.documents();
  if (std::ranges::find(names, detail::metadataDocument) == names.end())
    return {};
  return Metadata::fromJson(file.document(detail::metadataDocument),
                            file.name() + ": the metadata");
}

void WrittenMetadata::addSource(const File& file, const Source& category, std::string_view to) {
  const FileKey key{file.id(), file.id() == 0 ? file.name() : ""};
  const std::string from = categoryName(file, category);
  if (!m_categories.emplace(key, from, to).second)
    return;
  try {
    Metadata all = readMetadata(file);
    Metadata source;
    if (m_files.insert(key).second) { // a file's own metadata count once
      source = all;
      for (const std::string& name : source.parts())
        source.part(name) = {};
    }
    if (const Metadata* const part = all.findPart(from))
      source.part(to) = *part;
    m_sources.push_back(std::move(source));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    warn(WarningKind::lostMetadata, std::string(error.what()) + "; they are not copied");
  }
}

std::optional<std::string> WrittenMetadata::document(const std::string& file) const {
  const Metadata changed = difference(m_own, m_before);
  std::vector<Metadata> all{common(m_before, m_own)};
  for (const Metadata& source : m_sources)
    all.push_back(without(source, changed));
  std::vector<std::string> mistakes;
  Metadata merged = Metadata::merged(all, &mistakes);
  for (const std::string& mistake : mistakes)
    warn(WarningKind::lostMetadata, file + ": " + mistake + "; until then they are left out");
  setAll(merged, changed);
  std::string text = merged.toJson();
  return text == m_before.toJson() ? std::nullopt : std::optional(std::move(text));
}

} // namespace kaon
