#pragma once

#include <kaon/model/Model.h>
#include <kaon/model/ModelStructs.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// The struct of an object's class. podio stores it with its layout in memory.
struct ObjectStruct {
  /// The members, and `NAME_begin` and `NAME_end` for each list.
  StructLayout layout;
  std::vector<std::string> references; ///< relations, in the order in which they are stored
  struct List {
    std::string name;
    StructLayout element;
  };
  std::vector<List> lists; ///< vector members, in the order in which they are stored
};

/// The structs of the datatypes in a file's models. Their layout is that of C++ on x86-64, as in
/// podio's code.
class StoredStructs {
public:
  explicit StoredStructs(std::vector<Model> models);

  /// Returns the struct of a datatype's objects. Throws Error(version) if no model has it, or podio
  /// cannot store it. Throws Error(corrupt) for faulty models.
  [[nodiscard]] ObjectStruct objectOf(std::string_view datatype);

private:
  std::deque<Model> m_models;
  ModelStructs m_structs;
};

/// Returns the struct of a link.
[[nodiscard]] ObjectStruct storedLink();

} // namespace kaon::sio::podio
