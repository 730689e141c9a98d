#include <kaon/formats/root/tree/BuiltInClasses.h>

#include <kaon/formats/root/tree/TreeClasses.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

/// A class without members. The functions below add some.
class ClassBuilder {
public:
  ClassBuilder(std::string_view name, std::int32_t version)
      : m_info{std::string(name), version, 0, {}} {}

  ClassBuilder& bases(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      add(name, baseClass, "BASE").isBase = true;
    return *this;
  }
  ClassBuilder& members(std::int32_t type, std::initializer_list<std::string_view> names,
                        std::string_view typeName = {}) {
    for (const std::string_view name : names)
      add(name, type, typeName);
    return *this;
  }
  ClassBuilder& lists(std::initializer_list<std::string_view> names) {
    return members(object, names, "TObjArray");
  }
  /// Adds an array with the length `counter`.
  ClassBuilder& array(std::string_view name, std::int32_t type, std::string_view counter) {
    add(name, type, {}).counter = counter;
    return *this;
  }
  ClassInfo info() { return std::move(m_info); }

private:
  ElementInfo& add(std::string_view name, std::int32_t type, std::string_view typeName) {
    ElementInfo& element = m_info.elements.emplace_back();
    element.name = name;
    element.type = type;
    element.typeName = typeName;
    return element;
  }
  ClassInfo m_info;
};

/// TTree up to version 4.
ClassInfo oldTree(std::int32_t version) {
  ClassBuilder tree("TTree", version);
  tree.bases({"TNamed", "TAttLine", "TAttFill", "TAttMarker"})
      .members(intNumber, {"fScanField", "fMaxEntryLoop", "fMaxVirtualSize"})
      .members(doubleNumber, {"fEntries", "fTotBytes", "fZipBytes"})
      .members(intNumber, {"fAutoSave", "fEstimate"})
      .lists({"fBranches", "fLeaves"});
  if (version > 1)
    tree.members(objectAny, {"fIndexValues"}, "TArrayD");
  if (version > 2)
    tree.members(objectAny, {"fIndex"}, "TArrayI");
  if (version > 3)
    tree.members(object, {"oldInfos"}, "TList");
  return tree.info();
}

/// TBranch in version 5, of ROOT 3.
ClassInfo veryOldBranch() {
  return ClassBuilder("TBranch", 5)
      .bases({"TNamed"})
      .members(intNumber, {"fCompress", "fBasketSize", "fEntryOffsetLen", "fMaxBaskets",
                           "fWriteBasket", "fEntryNumber"})
      .members(doubleNumber, {"fEntries", "fTotBytes", "fZipBytes"})
      .members(intNumber, {"fOffset"})
      .lists({"fBranches", "fLeaves", "fBaskets"})
      .members(sizedArray, {"fBasketEntry", "fBasketBytes", "fBasketSeek"})
      .members(tString, {"fFileName"})
      .info();
}

/// TBranch in versions 6 to 9.
ClassInfo oldBranch(std::int32_t version) {
  ClassBuilder branch("TBranch", version);
  branch.bases({"TNamed"});
  if (version > 7)
    branch.bases({"TAttFill"});
  branch.members(intNumber, {"fCompress", "fBasketSize", "fEntryOffsetLen", "fWriteBasket",
                             "fEntryNumber", "fOffset", "fMaxBaskets"});
  if (version > 6)
    branch.members(intNumber, {"fSplitLevel"});
  return branch.members(doubleNumber, {"fEntries", "fTotBytes", "fZipBytes"})
      .lists({"fBranches", "fLeaves", "fBaskets"})
      .array("fBasketBytes", countedArray + intNumber, "fMaxBaskets")
      .array("fBasketEntry", countedArray + intNumber, "fMaxBaskets")
      .array("fBasketSeek", positionArray, "fMaxBaskets")
      .members(tString, {"fFileName"})
      .info();
}

ClassInfo oldLeaf() {
  return ClassBuilder("TLeaf", 1)
      .bases({"TNamed"})
      .members(intNumber, {"fLen", "fLenType", "fOffset"})
      .members(boolNumber, {"fIsRange", "fIsUnsigned"})
      .members(objectPointer, {"fLeafCount"}, "TLeaf*")
      .info();
}

ClassInfo leaf(std::string_view name, std::int32_t type) {
  return ClassBuilder(name, 1).bases({"TLeaf"}).members(type, {"fMinimum", "fMaximum"}).info();
}

ClassInfo clonesBranch() {
  return ClassBuilder("TBranchClones", 2)
      .bases({"TNamed"})
      .members(intNumber,
               {"fCompress", "fBasketSize", "fEntryOffsetLen", "fMaxBaskets", "fWriteBasket"})
      .members(long64Number, {"fEntryNumber", "fEntries", "fTotBytes", "fZipBytes"})
      .members(intNumber, {"fOffset"})
      .members(objectPointer, {"fBranchCount"}, "TBranch*")
      .members(tString, {"fClassName"})
      .lists({"fBranches"})
      .info();
}

std::vector<ClassInfo> oldAttributes() {
  return {ClassBuilder("TAttLine", 1)
              .members(shortNumber, {"fLineColor", "fLineStyle", "fLineWidth"})
              .info(),
          ClassBuilder("TAttFill", 1).members(shortNumber, {"fFillColor", "fFillStyle"}).info(),
          ClassBuilder("TAttMarker", 1)
              .members(shortNumber, {"fMarkerColor", "fMarkerStyle"})
              .members(floatNumber, {"fMarkerSize"})
              .info()};
}

} // namespace

const Classes& oldTreeClasses() {
  static const Classes classes = [] {
    std::vector<ClassInfo> infos{oldLeaf(), veryOldBranch()};
    for (std::int32_t version = 1; version <= 4; ++version)
      infos.push_back(oldTree(version));
    for (std::int32_t version = 6; version <= 9; ++version)
      infos.push_back(oldBranch(version));
    return Classes(std::move(infos));
  }();
  return classes;
}

const Classes& usualTreeClasses() {
  static const Classes classes = [] {
    std::vector<ClassInfo> infos = treeClasses();
    for (const auto& [name, type] :
         {std::pair<std::string_view, std::int32_t>{"TLeafG", longNumber}, {"TLeafC", intNumber}})
      infos.push_back(leaf(name, type));
    infos.push_back(clonesBranch());
    infos.push_back(friendClass());
    for (ClassInfo& attribute : oldAttributes())
      infos.push_back(std::move(attribute));
    return Classes(std::move(infos));
  }();
  return classes;
}

} // namespace kaon::root
