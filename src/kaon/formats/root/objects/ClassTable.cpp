#include <kaon/formats/root/objects/ClassTable.h>

namespace kaon::root {
namespace {

ElementInfo elementOf(const MemberRow& row) {
  ElementInfo element;
  element.name = row.name;
  element.typeName = row.typeName;
  element.type = row.type;
  element.counter = row.counter;
  if (!row.counter.empty())
    element.title = "[" + element.counter + "]";
  element.baseVersion = row.baseVersion;
  element.baseChecksum = row.baseChecksum;
  element.isBase = row.typeName == "BASE";
  return element;
}

} // namespace

std::vector<ClassInfo> infosOf(std::span<const ClassRow> rows) {
  std::vector<ClassInfo> infos;
  for (const ClassRow& row : rows) {
    ClassInfo& info = infos.emplace_back();
    info.name = row.name;
    info.version = row.version;
    info.checksum = row.checksum;
    for (const MemberRow& member : row.members)
      info.elements.push_back(elementOf(member));
  }
  return infos;
}

} // namespace kaon::root
