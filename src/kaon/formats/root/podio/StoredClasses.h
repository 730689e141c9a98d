#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/formats/root/podio/FileDescription.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root::podio {

/// The classes that podio's code has for what is in collections, by the models that a file carries.
class StoredClasses {
public:
  /// Throws Error(corrupt) for documents that are no models.
  explicit StoredClasses(std::span<const ModelDatatypes::Document> models);

  /// The tables that podio's classes cannot hold, of those of a collection; none if all can be.
  [[nodiscard]] std::vector<Loss> losses(const Schema& schema, std::uint32_t collection) const;

  /// What podio's files say of a collection without losses.
  [[nodiscard]] CollectionDescription describe(const Table& collection) const;
  /// Adds the classes of the records in its fields.
  void addTo(FieldForm& form, const Table& collection) const;

private:
  template <class T>
  struct Known {
    const T* type;
    std::uint32_t version; // of the schema of its model
  };
  template <class T>
  using ByName = std::map<std::string_view, Known<T>>;
  void add(const Model& model);
  [[nodiscard]] std::string mistakeIn(const std::vector<Model::Member>& members,
                                      std::set<std::string_view>& known) const;
  [[nodiscard]] std::string mistakeIn(std::string_view type) const;
  void addRecord(FieldForm& form, const std::string& path, std::string_view component,
                 std::uint32_t arraySize) const;
  void addMembers(FieldForm& form, const std::string& path,
                  const std::vector<Model::Member>& members) const;

  std::vector<Model> m_models;
  ModelDatatypes m_layouts; // of the datatypes
  ByName<Model::Component> m_components;
  ByName<Model::Datatype> m_datatypes;
  ByName<Model::Link> m_links;
};

} // namespace kaon::root::podio
