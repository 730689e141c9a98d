#pragma once

#include <kaon/model/MemberDefault.h>
#include <kaon/model/Model.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// A struct in the layout of C++, broken down to its scalars.
struct StructLayout {
  struct Leaf { ///< see kaon::Leaf
    std::string name;
    Scalar type = Scalar::Bool;
    std::uint32_t extent = 1;
    std::uint32_t offset = 0;
    std::string unit;
    std::string description;
    std::string structure = {};
  };
  std::vector<Leaf> leaves;
  std::uint32_t alignment = 1;
  std::vector<std::byte> defaults; ///< of a whole struct
  /// The members whose defaults only a C++ compiler understands; their values here are 0.
  std::vector<std::string> unknownDefaults;

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(defaults.size());
  }
};

/// The structs of models' components and datatypes. Their total size is limited, because files may
/// declare any size.
class ModelStructs {
public:
  /// Adds the enums and components of a model, which must keep its address. If two have the same
  /// name, the first takes precedence.
  void add(const Model& model);

  /// Returns the struct of these members, none of them a string. Throws Error(corrupt) for unknown
  /// types, for components that contain themselves, and for structs that are too large.
  [[nodiscard]] StructLayout structOf(const std::vector<Model::Member>& members);
  /// Returns the struct of a component, or a scalar as a struct of one leaf without a name. Throws
  /// as structOf().
  [[nodiscard]] const StructLayout& typeOf(std::string_view name);
  /// Returns the component with this name, or null.
  [[nodiscard]] const Model::Component* component(std::string_view name) const;

private:
  void addMember(StructLayout& to, const Model::Member& member);
  void addLeaves(StructLayout& to, const Model::Member& member, const StructLayout& element,
                 std::uint64_t begin);
  void charge(std::uint64_t leaves, std::uint64_t bytes);
  [[nodiscard]] bool initialise(const Model::Member& member, std::span<const Initialiser> values,
                                std::byte* to);
  [[nodiscard]] bool initialiseElement(std::string_view type, const Initialiser& value,
                                       std::byte* to);
  [[nodiscard]] bool initialiseComponent(const Model::Component& component,
                                         std::span<const Initialiser> values, std::byte* to);

  std::map<std::string_view, const Model::Enum*> m_enums;
  std::map<std::string_view, const Model::Component*> m_components;
  std::map<std::string, StructLayout, std::less<>> m_structs; // as far as requested
  std::vector<std::string_view> m_open;                       // components being laid out
  std::uint64_t m_leaves = 0;
  std::uint64_t m_bytes = 0;
};

} // namespace kaon
