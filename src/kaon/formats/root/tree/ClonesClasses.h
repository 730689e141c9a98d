#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/Unit.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace kaon::root {

/// Finds the classes of the objects in a tree's TClonesArrays. Files store these names only beside
/// the values, so this reads the first entries of a branch.
class ClonesClasses {
public:
  /// `tree` is for messages.
  ClonesClasses(const RootContainer& container, std::string tree)
      : m_container(container), m_tree(std::move(tree)),
        m_left(mostReads * container.bytes().size()) {}

  /// Returns the unit of a branch. `make` creates it from the classes that `shapes` knows.
  /// Exceptions of `make` reach the caller.
  [[nodiscard]] Unit unitOf(Shapes& shapes, const std::function<Unit()>& make);

private:
  using ClassesByPlace = std::map<std::string, std::string>;
  ClassesByPlace classesIn(const Unit& unit);

  // Reads at most this many times the size of the file, which limits the work for hostile files.
  static constexpr std::uint64_t mostReads = 8;
  const RootContainer& m_container;
  std::string m_tree;
  std::uint64_t m_left; // bytes of baskets that may still be read
};

} // namespace kaon::root
