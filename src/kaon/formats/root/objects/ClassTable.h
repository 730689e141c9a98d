#pragma once

#include <kaon/formats/root/objects/Classes.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::root {

/// A member: its name, the name and number of its type, and the counter of an array. For a base:
/// its name, "BASE", its version and checksum.
struct MemberRow {
  std::string_view name, typeName;
  std::int32_t type;
  std::string_view counter = {};
  std::int32_t baseVersion = 0;
  std::uint32_t baseChecksum = 0;
};

/// A class whose description kaon writes, as ROOT 6.40 describes it in its own files.
struct ClassRow {
  std::string_view name;
  std::int32_t version;
  std::uint32_t checksum;
  std::span<const MemberRow> members;
};

/// Returns the descriptions of the classes in a table.
[[nodiscard]] std::vector<ClassInfo> infosOf(std::span<const ClassRow> rows);

inline constexpr std::array tNamedMembers{MemberRow{"TObject", "BASE", 66, "", 1, 0x901BC02D},
                                          MemberRow{"fName", "TString", 65},
                                          MemberRow{"fTitle", "TString", 65}};

inline constexpr std::array tObjectMembers{MemberRow{"fUniqueID", "unsigned int", 13},
                                           MemberRow{"fBits", "unsigned int", 15}};

inline constexpr std::array tAttLineMembers{MemberRow{"fLineColor", "short", 2},
                                            MemberRow{"fLineStyle", "short", 2},
                                            MemberRow{"fLineWidth", "short", 2}};

inline constexpr std::array tAttFillMembers{MemberRow{"fFillColor", "short", 2},
                                            MemberRow{"fFillStyle", "short", 2}};

inline constexpr std::array tAttMarkerMembers{MemberRow{"fMarkerColor", "short", 2},
                                              MemberRow{"fMarkerStyle", "short", 2},
                                              MemberRow{"fMarkerSize", "float", 5}};

/// Bases of trees and histograms.
inline constexpr std::array commonClasses{ClassRow{"TNamed", 1, 0xdfb74a3c, tNamedMembers},
                                          ClassRow{"TObject", 1, 0x901bc02d, tObjectMembers},
                                          ClassRow{"TAttLine", 2, 0x94074549, tAttLineMembers},
                                          ClassRow{"TAttFill", 2, 0xffd92a92, tAttFillMembers},
                                          ClassRow{"TAttMarker", 3, 0x291d8bec, tAttMarkerMembers}};

} // namespace kaon::root
