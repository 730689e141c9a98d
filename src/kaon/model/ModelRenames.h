#pragma once

#include <kaon/model/Model.h>

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// The names in earlier versions of a model and its upstream models, by their migrations. The model
/// must keep its address.
class ModelRenames {
public:
  explicit ModelRenames(const Model& model);

  /// Returns the old names of a type, the newest first.
  [[nodiscard]] std::vector<std::string> oldNames(std::string_view type) const;
  /// Returns pairs of present and older paths, for leaves, vector members and relations of a
  /// datatype. A path's newest older path comes first. Throws Error(corrupt) if there are so many
  /// renamed paths and versions that finding them would take minutes.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  oldPaths(std::string_view datatype, std::span<const std::string> paths) const;

private:
  struct Type {
    const Model* model;
    std::map<std::string_view, std::string_view> items; ///< types of members and relations
    /// The steps that renamed members, the newest first, by the new name; each with its number.
    std::map<std::string_view, std::vector<std::pair<std::size_t, const Model::Migration*>>> steps;
  };
  using Versions = std::map<const Model*, std::uint32_t>;
  void addType(const Model& model, std::string_view name,
               const std::vector<const std::vector<Model::Member>*>& members,
               const std::vector<Model::Relation>& relations);
  [[nodiscard]] std::vector<Versions> combinations() const;
  [[nodiscard]] bool isRenamed(std::string_view type, std::string_view path) const;
  [[nodiscard]] std::string pathAt(const Versions& versions, std::string_view type,
                                   std::string_view path) const;
  [[nodiscard]] static std::string_view nameAt(const Type& type, std::string_view member,
                                               std::uint32_t version);

  std::vector<const Model*> m_models;  ///< the model, then its upstream models
  std::deque<Model::Datatype> m_links; ///< the datatypes of links in files
  std::map<std::string_view, Type> m_types;
};

} // namespace kaon
