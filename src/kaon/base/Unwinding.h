#pragma once

#include <exception>

namespace kaon {

/// Tells a destructor whether an exception is passing that was thrown while the object lived.
/// Writers then leave their file unfinished: its last events may be half filled.
class Unwinding {
public:
  [[nodiscard]] bool hasBegun() const noexcept { return std::uncaught_exceptions() > m_before; }

private:
  int m_before = std::uncaught_exceptions();
};

} // namespace kaon
