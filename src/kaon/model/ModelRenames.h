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

/// What things were called in earlier versions of a model and of those upstream of it, as their
/// migrations say. The model is to stay where it is.
class ModelRenames {
public:
  explicit ModelRenames(const Model& model);

  /// The old names of a type, the newest first.
  [[nodiscard]] std::vector<std::string> oldNames(std::string_view type) const;
  /// Paths to leaves, vector members and relations of a datatype, each with those that it had in
  /// any version, those of one path the newest first.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  oldPaths(std::string_view datatype, std::span<const std::string> paths) const;

private:
  struct Type {
    const Model* model;
    std::map<std::string_view, std::string_view> items; ///< of members and relations the types
  };
  using Versions = std::map<const Model*, std::uint32_t>;
  void addType(const Model& model, std::string_view name,
               const std::vector<const std::vector<Model::Member>*>& members,
               const std::vector<Model::Relation>& relations);
  [[nodiscard]] std::vector<Versions> combinations() const;
  [[nodiscard]] std::string pathAt(const Versions& versions, std::string_view type,
                                   std::string_view path) const;

  std::vector<const Model*> m_models;  ///< the model, then those upstream
  std::deque<Model::Datatype> m_links; ///< what they are in files
  std::map<std::string_view, Type> m_types;
};

} // namespace kaon
