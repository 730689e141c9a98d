#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/formats/root/podio/FileDescription.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/PodioTypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root::podio {

/// The classes that podio's code has for what is in collections, by the models that a file carries.
class StoredClasses {
public:
  /// Throws Error(corrupt) for documents that are no models.
  explicit StoredClasses(std::span<const ModelDatatypes::Document> models) : m_types(models) {}

  /// The tables that podio's classes cannot hold, of those of a collection; none if all can be.
  [[nodiscard]] std::vector<Loss> losses(const Schema& schema, std::uint32_t collection) const;

  /// What podio's files say of a collection without losses.
  [[nodiscard]] CollectionDescription describe(const Table& collection) const;
  /// Adds the classes of the records in its fields.
  void addTo(FieldForm& form, const Table& collection) const;

private:
  void addRecord(FieldForm& form, const std::string& path, std::string_view component,
                 std::uint32_t arraySize) const;
  void addMembers(FieldForm& form, const std::string& path,
                  const std::vector<Model::Member>& members) const;

  PodioTypes m_types;
};

} // namespace kaon::root::podio
