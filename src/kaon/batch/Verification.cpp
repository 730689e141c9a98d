#include <kaon/batch/Verification.h>

#include <kaon/base/Wording.h>

namespace kaon {

std::string Recovery::text() const {
  std::string text = file;
  if (isSound())
    text += ": nothing is lost";
  else
    text += ": " + grouped(lostBytes) + " of " + counted(bytes, "byte") + " are lost";
  for (const RecoveredCategory& category : categories) {
    text += "\n  " + category.name + ": " + counted(category.entries, "entry", "entries") + " kept";
    if (category.lostEntries > 0)
      text += ", " + grouped(category.lostEntries) + " left out";
  }
  for (const DamagedColumn& column : columns) {
    text += "\n  " + column.category + ": '" + column.name + "' is damaged in " +
            counted(column.damagedEntries, "entry", "entries");
    if (!column.leftOut.empty())
      text += "; '" + column.leftOut + "' is left out as a whole";
  }
  for (const std::string& document : lostDocuments)
    text += "\n  the document '" + document + "' is lost";
  for (const std::string& part : rebuilt)
    text += "\n  rebuilt: " + part;
  return text;
}

} // namespace kaon
