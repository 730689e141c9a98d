#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaon::sio {

/// Where an object is.
struct ObjectPlace {
  std::uint32_t table = 0; ///< of its collection
  std::uint32_t index = 0; ///< in the event
};

/// The objects of an event by the numbers by which pointers name them, as far as they were looked
/// for.
class ObjectNumbers {
public:
  void add(std::uint32_t number, ObjectPlace place) {
    m_objects.push_back({number, place});
    m_isSorted = false;
  }
  /// Null if no object that was added has this number.
  [[nodiscard]] const ObjectPlace* find(std::uint32_t number) {
    if (!m_isSorted)
      std::ranges::stable_sort(m_objects, {}, &Numbered::number);
    m_isSorted = true;
    const auto place = std::ranges::lower_bound(m_objects, number, {}, &Numbered::number);
    return place != m_objects.end() && place->number == number ? &place->place : nullptr;
  }

  /// Whether the objects of a unit were added.
  [[nodiscard]] bool has(std::uint32_t unit) const {
    return std::ranges::find(m_units, unit) != m_units.end();
  }
  void setHas(std::uint32_t unit) { m_units.push_back(unit); }

private:
  struct Numbered {
    std::uint32_t number;
    ObjectPlace place;
  };
  std::vector<Numbered> m_objects;
  std::vector<std::uint32_t> m_units;
  bool m_isSorted = true;
};

} // namespace kaon::sio
