#pragma once

#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// podio's type of a collection.
struct PodioType {
  enum class Kind : std::uint8_t { userData, link, datatype };
  Kind kind = Kind::datatype;
  /// "float"; "edm4hep::MCParticle"; for links the two types, "edm4hep::Track,edm4hep::MCParticle".
  std::string name;
  bool isSubset = false;
  std::uint32_t schemaVersion = 1; ///< of the model; 1 for podio's own types
};

/// The beginning of the types of links without a model: "kaon::Link<From,To>".
inline constexpr std::string_view ownLinkPrefix = "kaon::Link<";

/// The collections that podio's code can hold, and podio's names of their types, by the models in a
/// file.
class PodioTypes {
public:
  /// Throws Error(corrupt) for invalid documents.
  explicit PodioTypes(std::span<const ModelDatatypes::Document> models);

  /// A table that podio's code cannot hold, and the reason.
  struct Obstacle {
    TableNumber table = 0;
    std::string reason;
  };
  /// Returns the tables of a collection that podio cannot hold; empty if it can hold all. Ignores
  /// decorations.
  [[nodiscard]] std::vector<Obstacle> obstacles(const Schema& schema, TableNumber collection) const;
  /// Returns the type of a collection that podio can hold.
  [[nodiscard]] PodioType typeOf(const Table& collection) const;

  template <class T>
  struct Known {
    const T* type = nullptr;
    std::uint32_t version = 0; ///< schema version of its model
  };
  /// Returns a type by its name; null if no model has it.
  [[nodiscard]] Known<Model::Component> component(std::string_view name) const;
  [[nodiscard]] Known<Model::Datatype> datatype(std::string_view name) const;
  [[nodiscard]] const std::vector<Model>& models() const noexcept { return m_models; }

private:
  template <class T>
  using ByName = std::map<std::string_view, Known<T>>;
  void add(const Model& model);
  [[nodiscard]] std::string mistakeIn(const std::vector<Model::Member>& members,
                                      std::set<std::string_view>& known) const;
  [[nodiscard]] std::string mistakeIn(std::string_view type) const;

  std::vector<Model> m_models;
  ModelDatatypes m_layouts; // layouts of the datatypes
  ByName<Model::Component> m_components;
  ByName<Model::Datatype> m_datatypes;
  ByName<Model::Link> m_links;
};

} // namespace kaon
