#pragma once

#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kaon::kaonfile {

/// The datatypes that the relations of a file may lead to, by its models and tables. Thread-safe.
class RelationTargets {
public:
  /// Ignores models that cannot be read. Throws Error(io).
  RelationTargets(const io::ByteSource& bytes, const FileContents& contents);

  /// Returns whether a relation to `target`, a datatype or an interface, may lead to objects of a
  /// datatype. Any datatype is allowed if the file does not define `target`.
  [[nodiscard]] bool allow(std::string_view target, std::string_view datatype) const;

private:
  void addModel(std::string_view json);

  using Names = std::set<std::string, std::less<>>;
  Names m_datatypes;
  std::map<std::string, Names, std::less<>> m_interfaces; ///< with their datatypes
};

} // namespace kaon::kaonfile
