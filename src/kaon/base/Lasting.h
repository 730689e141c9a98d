#pragma once

#include <kaon/detail/base/Memory.h>

#include <cstddef>
#include <new>

namespace kaon {

/// A static value that is never destroyed: other static objects may need it until the end of the
/// program.
template <class T>
class Lasting {
public:
  Lasting() { ::new (static_cast<void*>(m_bytes)) T; }
  [[nodiscard]] T& operator*() noexcept { return *std::launder(detail::valuesAt<T>(m_bytes)); }
  [[nodiscard]] T* operator->() noexcept { return &**this; }

private:
  alignas(T) std::byte m_bytes[sizeof(T)];
};

} // namespace kaon
