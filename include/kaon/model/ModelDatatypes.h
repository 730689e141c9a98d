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

/// The datatypes of models at run time, as the generated code of these models describes them: the
/// same names, structs, units, relations and old names. Everything points into this object, which
/// is immutable, and in which all that uses it trusts to live as long as the program. Any
/// thread.
class ModelDatatypes {
public:
  /// A model as a file carries it.
  struct Document {
    std::string where; ///< for messages: "events.kaon: model 'edm4hep'"
    std::string json;
  };
  /// Gives the description of a datatype that the program has already, which then counts; null for
  /// one that it has not.
  using Known = std::function<const Datatype*(std::string_view name)>;

  /// Of two datatypes of one name the first counts. A document that is wrong, or a datatype that
  /// is, is left out, and mistake() tells why.
  explicit ModelDatatypes(std::vector<Document> documents, const Known& known = {});
  ~ModelDatatypes();
  ModelDatatypes(const ModelDatatypes&) = delete;
  ModelDatatypes& operator=(const ModelDatatypes&) = delete;

  /// By its name or an old one; those of links among them. Null if there is none.
  [[nodiscard]] const Datatype* find(std::string_view name) const noexcept;
  /// Returns the datatype that find() finds, for making objects. Throws Error(name) with a
  /// suggestion if there is none, Error(corrupt) if what the models say of it is wrong,
  /// Error(usage) if it has a default that only a C++ compiler understands.
  [[nodiscard]] const Datatype& get(std::string_view name) const;
  /// What is wrong with the models, or with what they say of this datatype; "" for nothing.
  [[nodiscard]] std::string mistake(std::string_view name) const;
  /// All names, sorted.
  [[nodiscard]] std::vector<std::string> names() const;

private:
  class Maker;
  struct Entry;
  std::vector<Document> m_documents;
  std::vector<std::unique_ptr<const Model>> m_models;
  std::vector<std::unique_ptr<const detail::ModelInfo>> m_infos;
  std::vector<std::unique_ptr<Entry>> m_entries; // in the order of the models
  std::map<std::string, const Datatype*, std::less<>> m_byName;
  std::map<std::string, std::string, std::less<>> m_mistakes;        // by datatype
  std::map<std::string, std::string, std::less<>> m_unknownDefaults; // see StructLayout; likewise
  std::string m_documentMistake;                                     // of the first that is wrong
};

} // namespace kaon
