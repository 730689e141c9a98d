#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaon::sio {

/// The place of an object.
struct EventObject {
  TableNumber table = 0;   ///< of its collection
  std::uint32_t index = 0; ///< in the event
};

/// The objects of an event by the numbers that pointers use. It has only objects that were searched
/// so far.
class PointerTargets {
public:
  void add(std::uint32_t number, EventObject place) {
    m_objects.push_back({number, place});
    m_isSorted = false;
  }
  /// Returns the place of an object, or null if no object with this number was added.
  [[nodiscard]] const EventObject* find(std::uint32_t number) {
    if (!m_isSorted)
      std::ranges::stable_sort(m_objects, {}, &NumberedObject::number);
    m_isSorted = true;
    const auto place = std::ranges::lower_bound(m_objects, number, {}, &NumberedObject::number);
    return place != m_objects.end() && place->number == number ? &place->place : nullptr;
  }

  /// Whether the objects of a unit were added.
  [[nodiscard]] bool hasUnit(std::uint32_t unit) const { return m_units.has(unit); }
  void setHasUnit(std::uint32_t unit) { m_units.add(unit); }
  /// Whether all objects were added to which some relations can point.
  [[nodiscard]] bool hasTargets(std::uint32_t targets) const { return m_targets.has(targets); }
  void setHasTargets(std::uint32_t targets) { m_targets.add(targets); }

private:
  class Known {
  public:
    [[nodiscard]] bool has(std::uint32_t number) const {
      return number < m_isKnown.size() && m_isKnown[number];
    }
    void add(std::uint32_t number) {
      if (number >= m_isKnown.size())
        m_isKnown.resize(number + 1);
      m_isKnown[number] = true;
    }

  private:
    std::vector<bool> m_isKnown;
  };
  struct NumberedObject {
    std::uint32_t number;
    EventObject place;
  };
  std::vector<NumberedObject> m_objects;
  Known m_units, m_targets;
  bool m_isSorted = true;
};

} // namespace kaon::sio
