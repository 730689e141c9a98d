#pragma once

#include <kaon/model/Scalar.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

class Json;

/// A data model at run time, as the document "model:NAME" of a file has it: what the YAML file said
/// of it. See docs/models.md for what all of it means. A value type; whether types that are named
/// exist is for ModelDatatypes to say.
struct Model {
  /// A member of a component, datatype or interface, or a vector member.
  struct Member {
    std::string name;
    std::string type;                 ///< as written; of an array its elements', of an optional its
                                      ///< value's, of lists in lists what is in the innermost
    std::vector<std::uint32_t> shape; ///< of a std::array, the outermost size first
    bool isOptional = false;
    std::uint32_t depth = 0;  ///< of a vector member: how many lists each of its elements is
    std::string defaultValue; ///< C++, as between the braces; "" for none
    std::string unit;
    std::string description;
    /// How many values, or components, the array has, 1 if it is none.
    [[nodiscard]] std::uint64_t extent() const noexcept;
  };
  struct Relation {
    std::string name;
    std::string type; ///< a datatype or an interface
    std::string description;
    bool many = false;
  };
  struct Enum {
    struct Value {
      std::string name;
      std::uint64_t value = 0; ///< the bits, of negative ones too
      std::string description;
    };
    std::string name;
    std::string description;
    Scalar underlying = Scalar::Int32;
    std::vector<Value> values;
  };
  struct Component {
    std::string name;
    std::string description;
    std::vector<Member> members;
  };
  struct Datatype {
    std::string name;
    std::string description;
    std::string author;
    std::vector<Member> members; ///< strings among them
    std::vector<Member> vectorMembers;
    std::vector<Relation> relations; ///< those to one object first
  };
  struct Interface {
    std::string name;
    std::string description;
    std::vector<Member> members;
    std::vector<std::string> types; ///< the datatypes that it stands for
  };
  struct Link {
    std::string name;
    std::string description;
    std::string from; ///< a datatype or an interface, as `to`
    std::string to;
    /// What links are in files: a weight and two relations.
    [[nodiscard]] Datatype datatype() const;
  };
  /// What is kept of a member's floats, by its name; see Precision.
  struct MemberPrecision {
    std::string name;
    Precision precision;
  };
  /// How a datatype's objects lie in files.
  struct Storage {
    std::string datatype;
    std::optional<Layout> layout;
    std::string group;
    std::vector<MemberPrecision> precision;
  };
  /// What a type, or a member of it, was called in an earlier version.
  struct Migration {
    std::string type; ///< by its present name
    std::uint32_t fromVersion = 0;
    std::uint32_t toVersion = 0;
    std::string before; ///< the name until `fromVersion`
    std::string after;  ///< that of the member in `toVersion`; "" if it is the type's name
  };

  std::string name;
  std::uint32_t schemaVersion = 0;
  std::vector<Enum> enums;
  std::vector<Component> components;
  std::vector<Datatype> datatypes;
  std::vector<Interface> interfaces;
  std::vector<Link> links;
  std::vector<Storage> storage;
  std::vector<Migration> migrations;
  std::vector<Model> upstream; ///< whose types it uses, each those before it

  /// The model in a document. What it says beyond what is known here is passed over. Throws
  /// Error(corrupt) that begins with `where`, "events.kaon: model 'edm4hep'", and says where in the
  /// document something is wrong.
  [[nodiscard]] static Model fromJson(std::string_view text, std::string_view where);

  /// The models upstream of it, and itself.
  [[nodiscard]] std::vector<const Model*> whole() const;
};

/// What the names of documents with models begin with.
inline constexpr std::string_view modelDocument = "model:";

} // namespace kaon
