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

/// A data model at run time: the contents of its YAML file, as stored in a file's document
/// "model:NAME". docs/models.md explains all fields. A value type. It may refer to types that do
/// not exist; ModelDatatypes checks them.
struct Model {
  /// A member of a component, datatype or interface, or a vector member.
  struct Member {
    std::string name;
    /// The type of the innermost values: elements of arrays and lists, values of optionals.
    std::string type;
    /// The sizes of a std::array, the outermost first.
    std::vector<std::uint32_t> shape;
    bool isOptional = false;
    /// The levels of lists in each element of a vector member.
    std::uint32_t depth = 0;
    /// The C++ code of the default, between the braces; "" without a default.
    std::string defaultValue;
    std::string unit;
    std::string description;
    /// Returns the number of values or components in the array; 1 without an array.
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
      std::uint64_t value = 0; ///< the bits, also of negative values
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
    std::vector<Member> members; ///< strings included
    std::vector<Member> vectorMembers;
    std::vector<Relation> relations; ///< relations to one object first
  };
  struct Interface {
    std::string name;
    std::string description;
    std::vector<Member> members;
    std::vector<std::string> types; ///< the datatypes of its objects
  };
  struct Link {
    std::string name;
    std::string description;
    std::string from; ///< a datatype or an interface, like `to`
    std::string to;
    /// Returns the datatype of links in files: a weight and two relations.
    [[nodiscard]] Datatype datatype() const;
  };
  /// The precision of a member's floats, by its name; see Precision.
  struct MemberPrecision {
    std::string name;
    Precision precision;
  };
  /// How a datatype's objects are stored in files.
  struct Storage {
    std::string datatype;
    std::optional<Layout> layout;
    std::string group;
    std::vector<MemberPrecision> precision;
  };
  /// The name of a type, or of its member, in an earlier version.
  struct Migration {
    std::string type; ///< its present name
    std::uint32_t fromVersion = 0;
    std::uint32_t toVersion = 0;
    std::string before; ///< the name until `fromVersion`
    std::string after;  ///< the member's name in `toVersion`; "" for the name of the type
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
  std::vector<Model> upstream; ///< models whose types it uses; each uses only models before it

  /// Reads a model from a document and ignores unknown keys. Throws Error(corrupt), beginning with
  /// `where`, such as "events.kaon: model 'edm4hep'". The message names the place in the document.
  [[nodiscard]] static Model fromJson(std::string_view text, std::string_view where);

  /// Returns the upstream models, and the model itself.
  [[nodiscard]] std::vector<const Model*> whole() const;
};

/// The prefix of the names of documents with models.
inline constexpr std::string_view modelDocument = "model:";

} // namespace kaon
