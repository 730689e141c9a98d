#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/Unit.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace kaon::root {

/// Looks up of which classes the objects in a tree's TClonesArrays are. That stands only beside the
/// values: in the first entries of a branch.
class ClonesClasses {
public:
  /// `tree` is for messages.
  ClonesClasses(const Container& container, std::string tree)
      : m_container(container), m_tree(std::move(tree)),
        m_left(mostReads * container.bytes().size()) {}

  /// The unit of a branch, which `make` gives by what `shapes` knows of these classes. Throws what
  /// it throws.
  [[nodiscard]] Unit unitOf(Shapes& shapes, const std::function<Unit()>& make);

private:
  using ClassesByPlace = std::map<std::string, std::string>;
  ClassesByPlace classesIn(const Unit& unit);

  static constexpr std::uint64_t mostReads = 8; // of the whole file: branches of hostile ones share
  const Container& m_container;
  std::string m_tree;
  std::uint64_t m_left; // bytes of baskets that may be read
};

} // namespace kaon::root
