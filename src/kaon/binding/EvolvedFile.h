#pragma once

#include <kaon/binding/EvolvedSource.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/model/ModelDatatypes.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// A file as if it had been written with other versions of its models: see EvolvedSource. The
/// documents of these models stand for those that the file has of the same datatypes, however the
/// models are called.
class EvolvedFile final : public detail::WrappedFile {
public:
  /// Without models: by the classes of the program, and by the models that the file carries where
  /// it has none; so that what was appended by a newer version is a member in all entries. Models
  /// go before classes of another version of them. Throws Error(corrupt) for a document that is no
  /// model, and warns of what the file has and they do not, if it is newer.
  EvolvedFile(std::shared_ptr<const File> file, std::vector<ModelDatatypes::Document> models);

  [[nodiscard]] const Source& category(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> documents() const override;
  [[nodiscard]] std::string document(std::string_view name) const override;

private:
  void findReplaced();

  std::map<std::string, std::string, std::less<>> m_documents;    // of models, by their names
  std::set<std::string, std::less<>> m_replaced;                  // documents of the file
  std::map<std::string, EvolvedSource, std::less<>> m_categories; // that differ from the file's
};

} // namespace kaon
