#pragma once

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/StructLeaves.h>
#include <kaon/model/Scalar.h>

#include <ROOT/RDF/RInterface.hxx>
#include <ROOT/RVec.hxx>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Columns of structs, such as edm4hep::MCParticleData, for functions that are written for podio's
// files. They are put together from the columns of a kaon::root::DataSource:
//
//   ROOT::RDF::RNode df = kaon::root::dataFrame("events.kaon", "events");
//   df = kaon::root::defineStructs<edm4hep::MCParticleData>(df, "Particle", "MCParticles");
//   df = kaon::root::defineJoined<std::int32_t>(df, "daughters", "MCParticles.daughters.index");
//   df = df.Define("decays", FCCAnalyses::MCParticle::get_decay(511, 13, false),
//                  {"Particle", "daughters"});
//
// In a model that is generated with list ranges (LIST_RANGES in CMake), structs also have the range
// of each list in the joined lists of the event: daughters_begin and daughters_end.

namespace kaon::detail {

template <Scalar type>
using TypeOfScalar = std::tuple_element_t<
    static_cast<std::size_t>(type),
    std::tuple<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
               std::uint32_t, std::int64_t, std::uint64_t, float, double>>;

/// Returns the elements of all lists.
template <class T>
[[nodiscard]] ROOT::RVec<T> join(const ROOT::RVec<ROOT::RVec<T>>& lists) {
  ROOT::RVec<T> joined;
  for (const ROOT::RVec<T>& list : lists)
    joined.insert(joined.end(), list.begin(), list.end());
  return joined;
}

/// The columns of a struct's leaves, and how to put the structs of an event together.
template <HasLeaves S, class Leaves = std::make_index_sequence<StructLeaves<S>::value.size()>,
          class Ranges = std::make_index_sequence<ListRanges<S>::value.size()>>
class StructsOfColumns;

template <HasLeaves S, std::size_t... leaves, std::size_t... ranges>
class StructsOfColumns<S, std::index_sequence<leaves...>, std::index_sequence<ranges...>> {
  static constexpr const auto& allLeaves = StructLeaves<S>::value;
  static constexpr const auto& allRanges = ListRanges<S>::value;
  template <std::size_t leaf>
  static constexpr bool isArray = allLeaves[leaf].extent > 1 ||
                                  allLeaves[leaf].structure.ends_with(']');
  template <std::size_t leaf>
  using Number = TypeOfScalar<allLeaves[leaf].type>;
  template <std::size_t leaf>
  using Column =
      ROOT::RVec<std::conditional_t<isArray<leaf>, ROOT::RVec<Number<leaf>>, Number<leaf>>>;
  template <std::size_t>
  using Sizes = ROOT::RVec<std::size_t>;

public:
  /// Returns the names of the arguments' columns.
  [[nodiscard]] static std::vector<std::string> columns(const std::string& table) {
    std::vector<std::string> names = memberColumns(table);
    (names.push_back("R_rdf_sizeof_" + table + '.' + std::string(allRanges[ranges].list)), ...);
    return names;
  }
  [[nodiscard]] static std::vector<std::string> memberColumns(const std::string& table) {
    return {(table + '.' + std::string(allLeaves[leaves].name))...};
  }

  /// Makes the structs of an event from their members, and from the sizes of their lists.
  [[nodiscard]] ROOT::RVec<S> operator()(const Column<leaves>&... members,
                                         const Sizes<ranges>&... sizes) const {
    ROOT::RVec<S> structs(std::max({members.size()...}));
    (setMember<leaves>(structs, members), ...);
    (setRange<ranges>(structs, sizes), ...);
    return structs;
  }
  /// Makes the structs in the lists of an event, without their ranges.
  struct Joined {
    [[nodiscard]] ROOT::RVec<S> operator()(const ROOT::RVec<Column<leaves>>&... members) const {
      return StructsOfColumns()(join(members)..., Sizes<ranges>()...);
    }
  };

private:
  template <std::size_t leaf>
  static void setMember(ROOT::RVec<S>& structs, const Column<leaf>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::byte* const member = bytesAt(&structs[i]) + allLeaves[leaf].offset;
      if constexpr (isArray<leaf>) {
        requireExtent(allLeaves[leaf], values[i].size());
        std::memcpy(member, values[i].data(), values[i].size() * sizeof(Number<leaf>));
      } else {
        std::memcpy(member, &values[i], sizeof(Number<leaf>));
      }
    }
  }
  /// Throws Error(type) if an array of another version of the model has another size.
  static void requireExtent(const Leaf& leaf, std::size_t size) {
    if (size != leaf.extent)
      fail(ErrorKind::type, "the array '", leaf.name, "' has ", size, " values in the file, but ",
           leaf.extent, " in the struct");
  }
  template <std::size_t range>
  static void setRange(ROOT::RVec<S>& structs, const ROOT::RVec<std::size_t>& sizes) {
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::byte* const bytes = bytesAt(&structs[i]);
      std::memcpy(bytes + allRanges[range].begin, &end, sizeof end);
      end += static_cast<std::uint32_t>(sizes[i]);
      std::memcpy(bytes + allRanges[range].end, &end, sizeof end);
    }
  }
};

} // namespace kaon::detail

namespace kaon::root {

/// Defines a column with the objects of a collection as structs, ROOT::RVec<S>. S is the struct of
/// a datatype, such as edm4hep::MCParticleData. Strings and relations are not in the struct. Throws
/// std::runtime_error, as Define() does, if a column is missing or of another type.
template <kaon::detail::HasLeaves S>
[[nodiscard]] ROOT::RDF::RNode defineStructs(ROOT::RDF::RNode frame, std::string_view column,
                                             const std::string& collection) {
  using Structs = kaon::detail::StructsOfColumns<S>;
  return frame.Define(column, Structs(), Structs::columns(collection));
}

/// Defines a column with the elements of all lists in a column of lists, one after another, such as
/// "MCParticles.daughters.index".
template <class T>
[[nodiscard]] ROOT::RDF::RNode defineJoined(ROOT::RDF::RNode frame, std::string_view column,
                                            const std::string& lists) {
  return frame.Define(
      column, [](const ROOT::RVec<ROOT::RVec<T>>& values) { return kaon::detail::join(values); },
      {lists});
}
/// As above for lists of components, such as edm4hep::TrackState in "Tracks.trackStates".
template <kaon::detail::HasLeaves S>
[[nodiscard]] ROOT::RDF::RNode defineJoined(ROOT::RDF::RNode frame, std::string_view column,
                                            const std::string& lists) {
  using Structs = kaon::detail::StructsOfColumns<S>;
  return frame.Define(column, typename Structs::Joined(), Structs::memberColumns(lists));
}

} // namespace kaon::root
