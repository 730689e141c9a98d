#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/podio/PodioTypes.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/formats/root/podio/RootFileDescription.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root::podio {

/// The classes of podio's code for stored collections, from the models in a file.
class PodioClasses {
public:
  /// Throws Error(corrupt) for documents that are not models.
  explicit PodioClasses(std::span<const ModelDatatypes::Document> models) : m_types(models) {}

  /// Returns the tables of a collection that podio's classes cannot hold. Empty if they can hold
  /// all.
  [[nodiscard]] std::vector<detail::Loss> losses(const Schema& schema,
                                                 std::uint32_t collection) const;

  /// Returns podio's description of a collection without losses.
  [[nodiscard]] CollectionDescription describe(const Table& collection) const;
  /// Adds the classes of the records in a collection's fields.
  void addTo(FieldForm& form, const Table& collection) const;

private:
  void addRecord(FieldForm& form, const std::string& path, std::string_view component,
                 std::uint32_t arraySize) const;
  void addMembers(FieldForm& form, const std::string& path,
                  const std::vector<Model::Member>& members) const;

  PodioTypes m_types;
};

} // namespace kaon::root::podio
