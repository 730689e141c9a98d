#pragma once

#include <iterator>
#include <memory>
#include <vector>

namespace kaon::arrow {

/// An ArrowSchema, ArrowArray or ArrowArrayStream that the destructor releases, unless its consumer
/// has moved it out.
template <class Part>
class OwnedArrow {
public:
  OwnedArrow() = default;
  explicit OwnedArrow(const Part& part) : m_part(part) {}
  OwnedArrow(OwnedArrow&& other) noexcept : m_part(other.m_part) { other.m_part.release = nullptr; }
  OwnedArrow& operator=(OwnedArrow&&) = delete;
  ~OwnedArrow() { release(); }
  [[nodiscard]] Part* get() noexcept { return &m_part; }
  [[nodiscard]] const Part* get() const noexcept { return &m_part; }
  void release() noexcept {
    if (m_part.release)
      m_part.release(&m_part);
    m_part.release = nullptr;
  }

private:
  Part m_part = {};
};

/// The children and the dictionary of a schema or array.
template <class Part>
struct OwnedChildren {
  std::vector<OwnedArrow<Part>> children = {};
  std::vector<Part*> childPlaces = {};
  std::unique_ptr<OwnedArrow<Part>> dictionary = {};

  /// Sets the children and the dictionary of a schema or array that owns this object.
  void putInto(Part& part) {
    for (OwnedArrow<Part>& child : children)
      childPlaces.push_back(child.get());
    part.n_children = std::ssize(children);
    part.children = childPlaces.data();
    part.dictionary = dictionary ? dictionary->get() : nullptr;
  }
};

/// Makes a schema or array the owner of its memory. `release` frees the memory, and releases all
/// parts that the consumer has not moved out.
template <class Part, class Memory>
void keep(std::unique_ptr<Memory> memory, Part& part) {
  memory->parts.putInto(part);
  part.release = [](Part* released) {
    delete static_cast<Memory*>(released->private_data);
    released->release = nullptr;
  };
  part.private_data = memory.release();
}

} // namespace kaon::arrow
