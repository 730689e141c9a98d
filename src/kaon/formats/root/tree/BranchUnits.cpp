#include <kaon/formats/root/tree/BranchUnits.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/root/objects/Dimensions.h>
#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/BranchTitle.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kaon::root {
namespace {

constexpr std::int32_t baseNode = 1, objectNode = 2, clonesCounts = 3, collectionCounts = 4;
constexpr std::int32_t ownStreamer = -1;

/// Returns the type of the numbers of a leaf, or nothing for characters.
std::optional<NumberLayout> formOfLeaf(const LeafDescription& leaf) {
  struct Class {
    std::string_view name;
    std::int32_t type, unsignedType;
  };
  constexpr std::array classes{Class{"TLeafB", charNumber, unsignedCharNumber},
                               Class{"TLeafS", shortNumber, unsignedShortNumber},
                               Class{"TLeafI", intNumber, unsignedIntNumber},
                               Class{"TLeafL", long64Number, unsignedLong64Number},
                               Class{"TLeafG", longNumber, unsignedLongNumber},
                               Class{"TLeafF", floatNumber, floatNumber},
                               Class{"TLeafD", doubleNumber, doubleNumber},
                               Class{"TLeafO", boolNumber, boolNumber},
                               Class{"TLeafF16", float16Number, float16Number},
                               Class{"TLeafD32", double32Number, double32Number}};
  const auto* const streamed = std::ranges::find(classes, leaf.className, &Class::name);
  if (streamed == classes.end())
    return std::nullopt;
  return formOf(leaf.isUnsigned ? streamed->unsignedType : streamed->type, leaf.title);
}

/// ROOT's classes whose own code writes the members that files describe, or a form that Shapes
/// knows.
bool isKnownClass(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 8> names{
      "TVector2", "TVector3", "TLorentzVector", "TString", "TDatime", "TRef", "TRefArray", "TF1"};
  constexpr std::array<std::string_view, 8> beginnings{
      "TMatrixT<", "TMatrixTSym<", "TVectorT<", "TH1", "TH2", "TH3", "TProfile", "TGraph"};
  return std::ranges::find(names, name) != names.end() ||
         std::ranges::any_of(beginnings, [&](auto begin) { return name.starts_with(begin); });
}

/// Whether the values of a leaf have no fixed size.
bool isVariable(const LeafDescription& leaf) noexcept {
  return leaf.className == "TLeafC" || !leaf.counter.empty();
}

/// Returns the shape in the title of a leaf: "[3][2]" in "x[3][2]" and "x[n][3][2]". Returns "" if
/// it has fewer than two sizes, or sizes of another number of values.
std::string dimensionsIn(const LeafDescription& leaf) {
  std::vector<std::uint32_t> sizes;
  std::string_view title = leaf.title.substr(std::min(leaf.title.find('['), leaf.title.size()));
  while (title.starts_with('[')) {
    const std::string_view text = title.substr(1, title.find(']') - 1);
    std::uint32_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error == std::errc() && end == text.data() + text.size())
      sizes.push_back(size);
    else if (text != leaf.counter)
      return {};
    title.remove_prefix(std::min(text.size() + 2, title.size()));
  }
  return dimensionsOf(sizes, leaf.length);
}

/// Returns the part for the values of a leaf in an entry, or for one of the values it counts.
ShapePart partOfLeaf(const LeafDescription& leaf) {
  ShapePart part;
  if (leaf.className == "TLeafC") {
    part.shape.kind = Shape::Kind::text;
  } else if (const auto form = formOfLeaf(leaf)) {
    part.shape.kind = Shape::Kind::number;
    part.shape.form = *form;
    part.shape.extent = leaf.length;
    part.shape.dimensions = dimensionsIn(leaf);
  } else {
    fail(ErrorKind::version, "a leaf is a ", leaf.className);
  }
  if (leaf.length > mostLeafValues)
    fail(ErrorKind::version, "it has ", leaf.length, " values an entry");
  return part;
}

Unit unitOf(const BranchDescription& branch, ShapePart part, PartBudget& budget) {
  constexpr std::uint32_t headOfVector = 10; // size, version, number of elements
  Unit unit;
  unit.branch = &branch;
  unit.documentation = documentationOf(branch);
  unit.part = std::move(part);
  const Shape& shape = unit.part.shape;
  const bool isListOfNumbers = shape.kind == Shape::Kind::list && shape.length == 0 &&
                               shape.parts[0].wrap == ShapePart::Wrap::none &&
                               shape.parts[0].shape.kind == Shape::Kind::number;
  if (shape.kind == Shape::Kind::number && unit.part.wrap == ShapePart::Wrap::none &&
      shape.form.kind != NumberLayout::Kind::little) {
    unit.kind = Unit::Kind::numbers;
  } else if (isListOfNumbers &&
             (unit.part.wrap == ShapePart::Wrap::flag || unit.part.wrap == ShapePart::Wrap::once)) {
    unit.kind = Unit::Kind::lists;
    unit.headBytes = unit.part.wrap == ShapePart::Wrap::flag ? 1 : headOfVector;
  }
  std::uint32_t outputs = 0;
  numberOutputs(unit.part.shape, outputs, budget);
  return unit;
}

/// Returns the unit of a part without classes.
Unit unitOfPlain(const BranchDescription& branch, ShapePart part) {
  PartBudget none(0);
  return unitOf(branch, std::move(part), none);
}

void checkPlace(const BranchDescription& branch) {
  if (!branch.failure.empty())
    fail(ErrorKind::version, branch.failure);
  if (branch.isElsewhere)
    fail(ErrorKind::version, "its data are in another file");
  if (branch.baskets.entries() != branch.entries)
    fail(ErrorKind::version, "its baskets have ",
         counted(branch.baskets.entries(), "entry", "entries"), ", not ", branch.entries);
}

const ElementInfo& memberOf(const BranchDescription& branch, const Classes& classes) {
  const std::string name = normalTypeName(branch.typeName);
  const ClassInfo* info = classes.find(name, branch.version, branch.checksum);
  if (!info)
    info = classes.find(name, 0, branch.checksum);
  if (!info || static_cast<std::size_t>(branch.member) >= info->elements.size())
    fail(ErrorKind::version, "the file does not describe version ", branch.version,
         " of the class '", branch.typeName, "'");
  return info->elements[static_cast<std::size_t>(branch.member)];
}

/// Returns the comment of a member in the source of its class, without annotations for ROOT.
std::string_view commentOf(const ElementInfo& member) noexcept {
  std::string_view comment = member.title;
  if (comment.starts_with("->"))
    comment.remove_prefix(2);
  while (comment.starts_with('[') && comment.find(']') != std::string_view::npos)
    comment.remove_prefix(comment.find(']') + 1);
  return comment;
}

} // namespace

bool hasData(const BranchDescription& branch) noexcept {
  if (branch.className != "TBranchElement")
    return !branch.leaves.empty();
  if (branch.kind == clonesCounts || branch.kind == collectionCounts)
    return true;
  return branch.branches.empty() && branch.kind != baseNode && branch.kind != objectNode &&
         !(branch.kind == 0 && branch.member == -2);
}

std::optional<Unit> unitOfVariableLeaves(const BranchDescription& branch) {
  if (branch.leaves.size() < 2 || std::ranges::none_of(branch.leaves, isVariable))
    return std::nullopt;
  checkPlace(branch);
  ShapePart record;
  record.shape.kind = Shape::Kind::record;
  std::vector<ShapePart>& parts = record.shape.parts;
  for (const LeafDescription& leaf : branch.leaves) {
    ShapePart part = partOfLeaf(leaf);
    if (!leaf.counter.empty()) {
      const auto counter = std::ranges::find(parts, leaf.counter, &ShapePart::name);
      if (counter == parts.end() || !isCounter(counter->shape))
        fail(ErrorKind::version, "no leaf before '", leaf.name, "' counts its values");
      ShapePart list;
      list.wrap = ShapePart::Wrap::sized;
      list.counter = leaf.counter;
      list.shape.kind = Shape::Kind::list;
      list.shape.parts.push_back(std::move(part));
      part = std::move(list);
    }
    part.name = leaf.name;
    parts.push_back(std::move(part));
  }
  return unitOfPlain(branch, std::move(record));
}

std::vector<Unit> unitsOfLeaves(const BranchDescription& branch) {
  checkPlace(branch);
  std::vector<Unit> units;
  std::vector<Documentation> documentation = documentationOfLeaves(branch);
  std::uint64_t bytes = 0;
  for (const LeafDescription& leaf : branch.leaves) {
    ShapePart part = partOfLeaf(leaf);
    units.push_back(unitOfPlain(branch, std::move(part)));
    units.back().documentation = std::move(documentation[units.size() - 1]);
    units.back().offset = static_cast<std::uint32_t>(bytes);
    if (!isVariable(leaf))
      bytes += units.back().valueBytes();
  }
  if (bytes > (1U << 30))
    fail(ErrorKind::version, "its entries are too large");
  if (units.size() > 1)
    for (Unit& unit : units)
      unit.entryBytes = static_cast<std::uint32_t>(bytes);
  return units;
}

Unit unitOfObject(const BranchDescription& branch, Shapes& shapes) {
  checkPlace(branch);
  ShapePart object = shapes.ofWholeObject(branch.typeName);
  object.isNamed = branch.leaves.empty() || branch.leaves[0].isVirtual;
  return unitOf(branch, std::move(object), shapes.budget());
}

Unit unitOfElement(const BranchDescription& branch, Shapes& shapes) {
  checkPlace(branch);
  if (branch.member >= 0) {
    const ElementInfo& member = memberOf(branch, shapes.classes());
    ShapePart part = shapes.ofElement(normalTypeName(branch.typeName), member);
    part.name.clear();
    Unit unit = unitOf(branch, std::move(part), shapes.budget());
    if (unit.documentation.description.empty())
      unit.documentation = documentationIn(commentOf(member));
    return unit;
  }
  const std::string name = normalTypeName(branch.typeName);
  if (branch.kind == ownStreamer && name == "string") {
    ShapePart text;
    text.shape.kind = Shape::Kind::text;
    return unitOfPlain(branch, std::move(text));
  }
  if (branch.kind == ownStreamer && !isKnownClass(name) && !shapes.isInterpreted(name))
    fail(ErrorKind::version, "the type is written by code of its own");
  ShapePart whole = shapes.ofWhole(branch.typeName, branch.version, branch.checksum);
  if (branch.kind == ownStreamer && whole.shape.info)
    whole.wrap = ShapePart::Wrap::each;
  return unitOf(branch, std::move(whole), shapes.budget());
}

Unit unitOfCounts(const BranchDescription& branch) {
  checkPlace(branch);
  ShapePart part;
  part.shape.kind = Shape::Kind::number;
  part.shape.form = *formOf(intNumber);
  return unitOfPlain(branch, std::move(part));
}

} // namespace kaon::root
