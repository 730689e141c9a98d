#pragma once

#include <kaon/base/Error.h>

#include <memory>
#include <utility>

namespace kaon::detail {

/// The contents of a movable object. Using the object after it was moved from throws Error(usage),
/// where a plain pointer would crash.
template <class T>
class Owned {
public:
  /// `owner` is the name of the object in messages.
  Owned(std::unique_ptr<T> parts, const char* owner) : m_parts(std::move(parts)), m_owner(owner) {}

  /// Returns false after it was moved from.
  [[nodiscard]] bool isValid() const noexcept { return m_parts != nullptr; }
  [[nodiscard]] T& operator*() const {
    if (!m_parts) [[unlikely]]
      fail(ErrorKind::usage, "this ", m_owner, " was moved away");
    return *m_parts;
  }
  [[nodiscard]] T* operator->() const { return &**this; }

private:
  std::unique_ptr<T> m_parts;
  const char* m_owner;
};

} // namespace kaon::detail
