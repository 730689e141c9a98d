#pragma once

#include <kaon/formats/kaon/Contents.h>
#include <kaon/io/ByteSource.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kaon::store {

/// Which datatypes the relations of a file may lead to, as its models and tables say. Any thread.
class RelationTargets {
public:
  /// Models that cannot be read say nothing. Throws Error(io).
  RelationTargets(const io::ByteSource& bytes, const FileContents& contents);

  /// Whether a relation to `target`, a datatype or an interface, may lead to objects of a datatype.
  /// It may lead to any where the file does not say what `target` is.
  [[nodiscard]] bool allow(std::string_view target, std::string_view datatype) const;

private:
  void addModel(std::string_view json);

  using Names = std::set<std::string, std::less<>>;
  Names m_datatypes;
  std::map<std::string, Names, std::less<>> m_interfaces; ///< each with what it stands for
};

} // namespace kaon::store
