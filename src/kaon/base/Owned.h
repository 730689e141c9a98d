#pragma once

#include <kaon/base/Error.h>

#include <memory>
#include <utility>

namespace kaon {

/// What an object that can be moved keeps to itself. Using the object after it was moved away is
/// Error(usage), where a bare pointer would crash.
template <class T>
class Owned {
public:
  /// `owner` is what messages call the object.
  Owned(std::unique_ptr<T> parts, const char* owner) : m_parts(std::move(parts)), m_owner(owner) {}

  /// False after it was moved away.
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

} // namespace kaon
