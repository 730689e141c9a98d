#pragma once

#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// The beginning of the names of documents with objects that are not categories.
inline constexpr std::string_view objectDocument = "object:";

/// Returns the text of a document with an object.
[[nodiscard]] std::string documentOf(const ObjectTree& object, std::string_view type,
                                     std::string_view title);

/// The objects of a .kaon file that are not categories: documents. Thread-safe.
class StoredObjects final : public ObjectStore {
public:
  using Documents = std::map<std::string, StoredDocument, std::less<>>;

  /// All must outlive this.
  StoredObjects(const io::ByteSource& bytes, const FileIdentity& file, const Documents& documents)
      : m_bytes(bytes), m_file(file), m_documents(documents) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_bytes.name(); }
  /// Damaged objects have no class.
  [[nodiscard]] std::vector<StoredObject> objects() const override;
  [[nodiscard]] ObjectTree read(std::string_view name) const override;

private:
  const io::ByteSource& m_bytes;
  const FileIdentity& m_file;
  const Documents& m_documents;
};

} // namespace kaon::kaonfile
