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

/// A file that reads as if it was written with other versions of its models: see EvolvedSource. The
/// documents of these models replace the file's models of the same datatypes, even if models have
/// other names.
class EvolvedFile final : public detail::WrappedFile {
public:
  /// Without models, uses the program's classes, and the file's models for other datatypes. Members
  /// that a newer version appended then exist in all entries. Models take precedence over classes
  /// of another version. Throws Error(corrupt) for an invalid document. If the file is newer, warns
  /// of members that only the file has.
  EvolvedFile(std::shared_ptr<const File> file, std::vector<ModelDatatypes::Document> models);

  [[nodiscard]] const Source& category(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> documents() const override;
  [[nodiscard]] std::string document(std::string_view name) const override;

private:
  void findReplaced();

  std::map<std::string, std::string, std::less<>> m_documents;    // of models, by name
  std::set<std::string, std::less<>> m_replaced;                  // documents of the file
  std::map<std::string, EvolvedSource, std::less<>> m_categories; // only those that differ
};

} // namespace kaon
