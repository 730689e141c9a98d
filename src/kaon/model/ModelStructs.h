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

/// A struct as C++ lays it out, broken down to its scalars.
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
  std::vector<std::byte> defaults; ///< a whole struct
  /// The first member with a default that only a C++ compiler understands; it is 0 here.
  std::string unknownDefault;

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(defaults.size());
  }
};

/// The structs of models' components and datatypes. All of them together are bounded: a file may
/// say that they are as large as it likes.
class ModelStructs {
public:
  /// Takes in the enums and components of a model, which is to stay where it is. Of two of one name
  /// the first counts.
  void add(const Model& model);

  /// The struct that has these members, none of them a string. Throws Error(corrupt) for types that
  /// there are not, components that contain themselves, and what is too large.
  [[nodiscard]] StructLayout structOf(const std::vector<Model::Member>& members);
  /// The struct of a component, or a scalar as a struct of a leaf without a name. Throws likewise.
  [[nodiscard]] const StructLayout& typeOf(std::string_view name);
  /// The components by name.
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
  std::map<std::string, StructLayout, std::less<>> m_structs; // as far as they were asked for
  std::vector<std::string_view> m_open;                       // components that are being laid out
  std::uint64_t m_leaves = 0;
  std::uint64_t m_bytes = 0;
};

} // namespace kaon
