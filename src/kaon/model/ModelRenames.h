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
  /// datatype. A path's newest older path comes first.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  oldPaths(std::string_view datatype, std::span<const std::string> paths) const;

private:
  struct Type {
    const Model* model;
    std::map<std::string_view, std::string_view> items; ///< types of members and relations
  };
  using Versions = std::map<const Model*, std::uint32_t>;
  void addType(const Model& model, std::string_view name,
               const std::vector<const std::vector<Model::Member>*>& members,
               const std::vector<Model::Relation>& relations);
  [[nodiscard]] std::vector<Versions> combinations() const;
  [[nodiscard]] std::string pathAt(const Versions& versions, std::string_view type,
                                   std::string_view path) const;

  std::vector<const Model*> m_models;  ///< the model, then its upstream models
  std::deque<Model::Datatype> m_links; ///< the datatypes of links in files
  std::map<std::string_view, Type> m_types;
};

} // namespace kaon
