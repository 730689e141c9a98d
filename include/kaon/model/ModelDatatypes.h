#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Model.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The datatypes of models at run time, with the same names, structs, units, relations and old
/// names as in their generated code. The object is immutable, and everything points into it. Its
/// users need it to live as long as the program. Thread-safe.
class ModelDatatypes {
public:
  /// A model in a file.
  struct Document {
    std::string where; ///< for messages: "events.kaon: model 'edm4hep'"
    std::string json;
  };
  /// A function that returns the description of a datatype that the program already has. This
  /// description takes precedence. Null for other datatypes.
  using Known = std::function<const Datatype*(std::string_view name)>;

  /// Reads models. If two datatypes have the same name, the first takes precedence. Invalid
  /// documents and datatypes are left out; mistake() returns the reason.
  explicit ModelDatatypes(std::vector<Document> documents, const Known& known = {});
  ~ModelDatatypes();
  ModelDatatypes(const ModelDatatypes&) = delete;
  ModelDatatypes& operator=(const ModelDatatypes&) = delete;

  /// Returns a datatype by its present or an old name, also of links. Returns null for unknown
  /// names.
  [[nodiscard]] const Datatype* find(std::string_view name) const noexcept;
  /// Returns the datatype that find() finds, to make objects. Throws Error(name) with a suggestion
  /// for unknown names, and Error(corrupt) if its model is invalid. Throws Error(usage) if it has a
  /// default that only a C++ compiler understands.
  [[nodiscard]] const Datatype& get(std::string_view name) const;
  /// Returns the mistake in the models, or in the definition of this datatype; "" for none.
  [[nodiscard]] std::string mistake(std::string_view name) const;
  /// Returns all names, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

private:
  class Maker;
  struct Entry;
  std::vector<Document> m_documents;
  std::vector<std::unique_ptr<const Model>> m_models;
  std::vector<std::unique_ptr<const detail::ModelInfo>> m_infos;
  std::vector<std::unique_ptr<Entry>> m_entries; // in the order of the models
  std::map<std::string, const Datatype*, std::less<>> m_byName;
  std::map<std::string, std::string, std::less<>> m_mistakes; // by datatype
  // By datatype; see StructLayout.
  std::map<std::string, std::string, std::less<>> m_unknownDefaults;
  std::string m_documentMistake; // of the first invalid document
};

} // namespace kaon
