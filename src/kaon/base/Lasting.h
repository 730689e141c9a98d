#pragma once

#include <cstddef>
#include <new>

namespace kaon {

/// A static value that is never destroyed: objects that are static in a program may need it until
/// the very end.
template <class T>
class Lasting {
public:
  Lasting() { ::new (static_cast<void*>(m_bytes)) T; }
  [[nodiscard]] T& operator*() noexcept { return *std::launder(reinterpret_cast<T*>(m_bytes)); }
  [[nodiscard]] T* operator->() noexcept { return &**this; }

private:
  alignas(T) std::byte m_bytes[sizeof(T)];
};

} // namespace kaon
