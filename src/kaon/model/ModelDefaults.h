#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/ModelStructs.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The default of a leaf. It is zero unless the model states it.
struct LeafDefault {
  bool isStated = false;
  std::vector<std::byte> value = {};
};

/// The defaults of the leaves of a struct. A leaf has a default in the whole struct, then one in
/// each component around it, the outermost first. A component that is given without a member gets
/// the component's default for the member.
struct StructDefaults {
  std::vector<std::vector<LeafDefault>> ofLeaves = {};
  /// The members whose defaults only a C++ compiler understands; they are 0 here.
  std::vector<std::string> unknown = {};
};

/// The defaults that a model states. For one thread at a time.
class ModelDefaults {
public:
  /// Throws Error(corrupt) if the model is wrong.
  explicit ModelDefaults(const detail::ModelInfo& model);

  /// The defaults of a datatype's members; empty if the model does not have it.
  [[nodiscard]] const StructDefaults& ofMembers(const Datatype& type);
  /// The defaults of the elements of a vector member.
  [[nodiscard]] const StructDefaults& ofElements(const Datatype& type, std::string_view vector);

private:
  using Leaves = std::vector<std::vector<LeafDefault>>;
  [[nodiscard]] Leaves leavesOf(const std::vector<Model::Member>& members);
  [[nodiscard]] StructDefaults defaultsOf(const std::vector<Model::Member>& members);

  std::unique_ptr<const Model> m_model;
  ModelStructs m_structs;
  std::map<std::string, Model::Datatype, std::less<>> m_datatypes;
  std::map<std::string, StructDefaults, std::less<>> m_defaults;
};

} // namespace kaon
