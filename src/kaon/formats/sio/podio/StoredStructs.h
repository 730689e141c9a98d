#pragma once

#include <kaon/model/Model.h>
#include <kaon/model/ModelStructs.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// What the value of an object has: podio stores the struct of its class as it lies in memory.
struct StoredObject {
  /// The members, and for each list `NAME_begin` and `NAME_end`.
  StructLayout layout;
  std::vector<std::string> references; ///< relations, in the order in which they are stored
  struct List {
    std::string name;
    StructLayout element;
  };
  std::vector<List> lists; ///< vector members, likewise
};

/// The structs of the datatypes in a file's models, as podio's code lays them out: as C++ does on
/// x86-64.
class StoredStructs {
public:
  explicit StoredStructs(std::vector<Model> models);

  /// Of the objects of a datatype. Throws Error(version) if no model has it, or podio cannot,
  /// Error(corrupt) if the models say something wrong of it.
  [[nodiscard]] StoredObject objectOf(std::string_view datatype);

private:
  std::deque<Model> m_models;
  ModelStructs m_structs;
};

/// How a link is stored.
[[nodiscard]] StoredObject storedLink();

} // namespace kaon::sio::podio
