#include <kaon/tools/CategoryFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/event/FileMetadata.h>

#include <utility>

namespace kaon {

CategoryFile::CategoryFile(std::shared_ptr<const File> file, std::string category,
                           std::string newName)
    : detail::WrappedFile(std::move(file)), m_category(std::move(category)),
      m_newName(std::move(newName)) {
  (void)wrapped()->category(m_category);
}

const Source& CategoryFile::category(std::string_view name) const {
  if (name != m_newName)
    fail(ErrorKind::name, this->name(), ": has no category '", name, "'",
         suggestion(name, categories()));
  return wrapped()->category(m_category);
}

std::string CategoryFile::document(std::string_view name) const {
  if (name != detail::metadataDocument)
    return wrapped()->document(name);
  const Metadata all = readMetadata(*wrapped());
  Metadata own;
  for (const std::string& key : all.keys())
    own.set(key, *all.find(key), all.rule(key));
  if (const Metadata* const part = all.findPart(m_category))
    own.part(m_newName) = *part;
  return own.toJson();
}

} // namespace kaon
