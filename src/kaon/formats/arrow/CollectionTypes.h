#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/ModelDefaults.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// A datatype's declaration of its objects, or of the elements of a vector member. Rows of tables
/// without a datatype have no declaration.
struct Declaration {
  std::string_view type = {}; ///< "" for rows without a declaration.
  std::span<const Leaf> leaves = {};
  const StructDefaults* defaults = nullptr;
  const Datatype* datatype = nullptr; ///< Of objects; null for others.

  [[nodiscard]] bool isThere() const noexcept { return !type.empty(); }
  /// Returns the defaults of a leaf; empty if no model states them, so that they are zeros.
  [[nodiscard]] std::vector<LeafDefault> defaultsOf(std::size_t leaf) const {
    return defaults && leaf < defaults->ofLeaves.size() ? defaults->ofLeaves[leaf]
                                                        : std::vector<LeafDefault>();
  }
};

/// The datatypes of collections: the datatypes of a model, and those that exist in all models,
/// which are subsets, links without a name of their own, and numbers. For one thread at a time.
class CollectionTypes {
public:
  /// `model` may be null.
  explicit CollectionTypes(std::shared_ptr<const ModelDatatypes> model)
      : m_model(std::move(model)) {}

  [[nodiscard]] bool hasModel() const noexcept { return m_model != nullptr; }
  /// Returns the datatype with this name; null if it is unknown.
  [[nodiscard]] const Datatype* find(std::string_view name);
  /// Returns the datatype of a collection. Throws Error(usage) if it is unknown, or if its
  /// declaration in the model is wrong.
  [[nodiscard]] const Datatype& get(std::string_view name, std::string_view collection);
  /// The datatypes of the model, by name.
  [[nodiscard]] std::vector<const Datatype*> ofModel() const;
  /// Throws Error(usage) if the model's declaration of a datatype is wrong.
  void check(std::string_view name) const;

  [[nodiscard]] Declaration declarationOf(const Datatype& type);
  [[nodiscard]] Declaration declarationOf(const Datatype& type, const VectorMember& vector);

private:
  struct Standard;
  [[nodiscard]] ModelDefaults* defaultsOf(const Datatype& type);

  std::shared_ptr<const ModelDatatypes> m_model;
  std::map<std::string, std::shared_ptr<const Standard>, std::less<>> m_standard;
  std::map<const detail::ModelInfo*, ModelDefaults> m_defaults;
};

/// Returns the names of all members, vector members and relations.
[[nodiscard]] std::vector<std::string> memberNames(const Datatype& type);
/// Whether a relation can lead to objects of a datatype.
[[nodiscard]] bool leadsTo(const Relation& relation, std::string_view datatype);

} // namespace kaon::arrow
