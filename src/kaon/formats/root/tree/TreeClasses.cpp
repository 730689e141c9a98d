#include <kaon/formats/root/tree/TreeClasses.h>

#include <kaon/formats/root/objects/ClassTable.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace kaon::root {
namespace {

// ROOT 6.40's description of these classes in its own files.
constexpr std::array tTreeMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xDFB74A3C},
                                  MemberRow{"TAttLine", "BASE", 0, "", 2, 0x94074549},
                                  MemberRow{"TAttFill", "BASE", 0, "", 2, 0xFFD92A92},
                                  MemberRow{"TAttMarker", "BASE", 0, "", 3, 0x291D8BEC},
                                  MemberRow{"fEntries", "Long64_t", 16},
                                  MemberRow{"fTotBytes", "Long64_t", 16},
                                  MemberRow{"fZipBytes", "Long64_t", 16},
                                  MemberRow{"fSavedBytes", "Long64_t", 16},
                                  MemberRow{"fFlushedBytes", "Long64_t", 16},
                                  MemberRow{"fWeight", "double", 8},
                                  MemberRow{"fTimerInterval", "int", 3},
                                  MemberRow{"fScanField", "int", 3},
                                  MemberRow{"fUpdate", "int", 3},
                                  MemberRow{"fDefaultEntryOffsetLen", "int", 3},
                                  MemberRow{"fNClusterRange", "int", 6},
                                  MemberRow{"fMaxEntries", "Long64_t", 16},
                                  MemberRow{"fMaxEntryLoop", "Long64_t", 16},
                                  MemberRow{"fMaxVirtualSize", "Long64_t", 16},
                                  MemberRow{"fAutoSave", "Long64_t", 16},
                                  MemberRow{"fAutoFlush", "Long64_t", 16},
                                  MemberRow{"fEstimate", "Long64_t", 16},
                                  MemberRow{"fClusterRangeEnd", "Long64_t*", 56, "fNClusterRange"},
                                  MemberRow{"fClusterSize", "Long64_t*", 56, "fNClusterRange"},
                                  MemberRow{"fIOFeatures", "ROOT::TIOFeatures", 62},
                                  MemberRow{"fBranches", "TObjArray", 61},
                                  MemberRow{"fLeaves", "TObjArray", 61},
                                  MemberRow{"fAliases", "TList*", 64},
                                  MemberRow{"fIndexValues", "TArrayD", 62},
                                  MemberRow{"fIndex", "TArrayI", 62},
                                  MemberRow{"fTreeIndex", "TVirtualIndex*", 64},
                                  MemberRow{"fFriends", "TList*", 64},
                                  MemberRow{"fUserInfo", "TList*", 64},
                                  MemberRow{"fBranchRef", "TBranchRef*", 64}};

constexpr std::array tIOFeaturesMembers{MemberRow{"fIOBits", "unsigned char", 11}};

constexpr std::array tBranchMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xDFB74A3C},
                                    MemberRow{"TAttFill", "BASE", 0, "", 2, 0xFFD92A92},
                                    MemberRow{"fCompress", "int", 3},
                                    MemberRow{"fBasketSize", "int", 3},
                                    MemberRow{"fEntryOffsetLen", "int", 3},
                                    MemberRow{"fWriteBasket", "int", 3},
                                    MemberRow{"fEntryNumber", "Long64_t", 16},
                                    MemberRow{"fIOFeatures", "ROOT::TIOFeatures", 62},
                                    MemberRow{"fOffset", "int", 3},
                                    MemberRow{"fMaxBaskets", "int", 6},
                                    MemberRow{"fSplitLevel", "int", 3},
                                    MemberRow{"fEntries", "Long64_t", 16},
                                    MemberRow{"fFirstEntry", "Long64_t", 16},
                                    MemberRow{"fTotBytes", "Long64_t", 16},
                                    MemberRow{"fZipBytes", "Long64_t", 16},
                                    MemberRow{"fBranches", "TObjArray", 61},
                                    MemberRow{"fLeaves", "TObjArray", 61},
                                    MemberRow{"fBaskets", "TObjArray", 61},
                                    MemberRow{"fBasketBytes", "int*", 43, "fMaxBaskets"},
                                    MemberRow{"fBasketEntry", "Long64_t*", 56, "fMaxBaskets"},
                                    MemberRow{"fBasketSeek", "Long64_t*", 56, "fMaxBaskets"},
                                    MemberRow{"fFileName", "TString", 65}};
constexpr std::array tLeafMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xDFB74A3C},
                                  MemberRow{"fLen", "int", 3},
                                  MemberRow{"fLenType", "int", 3},
                                  MemberRow{"fOffset", "int", 3},
                                  MemberRow{"fIsRange", "bool", 18},
                                  MemberRow{"fIsUnsigned", "bool", 18},
                                  MemberRow{"fLeafCount", "TLeaf*", 64}};

/// Leaves of all types have the same members, except for the type of the bounds.
constexpr std::array<MemberRow, 3> leafMembers(std::string_view typeName, std::int32_t type) {
  return {MemberRow{"TLeaf", "BASE", 0, "", 2, 0x6D1E8152}, MemberRow{"fMinimum", typeName, type},
          MemberRow{"fMaximum", typeName, type}};
}

constexpr std::array tLeafBMembers = leafMembers("char", 1);
constexpr std::array tLeafSMembers = leafMembers("short", 2);
constexpr std::array tLeafIMembers = leafMembers("int", 3);
constexpr std::array tLeafLMembers = leafMembers("Long64_t", 16);
constexpr std::array tLeafFMembers = leafMembers("float", 5);
constexpr std::array tLeafDMembers = leafMembers("double", 8);
constexpr std::array tLeafOMembers = leafMembers("bool", 18);

constexpr std::array tBranchElementMembers{MemberRow{"TBranch", "BASE", 0, "", 13, 0x10978AAC},
                                           MemberRow{"fClassName", "TString", 65},
                                           MemberRow{"fParentName", "TString", 65},
                                           MemberRow{"fClonesName", "TString", 65},
                                           MemberRow{"fCheckSum", "unsigned int", 13},
                                           MemberRow{"fClassVersion", "short", 2},
                                           MemberRow{"fID", "int", 3},
                                           MemberRow{"fType", "int", 3},
                                           MemberRow{"fStreamerType", "int", 3},
                                           MemberRow{"fMaximum", "int", 3},
                                           MemberRow{"fBranchCount", "TBranchElement*", 64},
                                           MemberRow{"fBranchCount2", "TBranchElement*", 64}};
constexpr std::array tLeafElementMembers{MemberRow{"TLeaf", "BASE", 0, "", 2, 0x6D1E8152},
                                         MemberRow{"fID", "int", 3}, MemberRow{"fType", "int", 3}};

constexpr std::array classes{ClassRow{"TTree", 20, 0x7264e07f, tTreeMembers},
                             ClassRow{"ROOT::TIOFeatures", 1, 0x1aa12f10, tIOFeaturesMembers},
                             ClassRow{"TBranch", 13, 0x10978aac, tBranchMembers},
                             ClassRow{"TLeaf", 2, 0x6d1e8152, tLeafMembers},
                             ClassRow{"TLeafB", 1, 0xf1e4b5e, tLeafBMembers},
                             ClassRow{"TLeafS", 1, 0x150ceecf, tLeafSMembers},
                             ClassRow{"TLeafI", 1, 0x7e6aae19, tLeafIMembers},
                             ClassRow{"TLeafL", 1, 0xde320862, tLeafLMembers},
                             ClassRow{"TLeafF", 1, 0x3add9d72, tLeafFMembers},
                             ClassRow{"TLeafD", 1, 0x118e8776, tLeafDMembers},
                             ClassRow{"TLeafO", 1, 0x2ae48d3, tLeafOMembers},
                             ClassRow{"TBranchElement", 10, 0xe74f5e63, tBranchElementMembers},
                             ClassRow{"TLeafElement", 1, 0xa04f8893, tLeafElementMembers}};

constexpr std::array tFriendElementMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xDFB74A3C},
                                           MemberRow{"fTreeName", "TString", 65},
                                           MemberRow{"fOwnFile", "bool", 18}};
constexpr std::array friendClasses{
    ClassRow{"TFriendElement", 2, 0x2771167d, tFriendElementMembers}};

} // namespace

ClassInfo friendClass() { return infosOf(friendClasses).front(); }

std::vector<ClassInfo> treeClasses() {
  std::vector<ClassInfo> infos = infosOf(classes);
  std::ranges::copy(infosOf(commonClasses), std::back_inserter(infos));
  return infos;
}

} // namespace kaon::root
