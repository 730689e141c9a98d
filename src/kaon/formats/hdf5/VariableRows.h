#pragma once

#include <kaon/formats/hdf5/GlobalHeap.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/formats/hdf5/ValueType.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <optional>

namespace kaon::hdf5 {

/// How the rows of a dataset, or a member of them, differ in length: strings, and lists of numbers.
struct VariableRows {
  enum class Form : std::uint8_t {
    terminated, ///< characters, a zero, and what fills the row up
    padded,     ///< characters, and zeros that fill the row up
    blanks,     ///< the same with blanks
    heap        ///< where in the file the elements are, and how many: see GlobalHeap.h
  };
  Form form = Form::heap;
  bool isText = false;
  Scalar element = Scalar::UInt8;
  std::uint32_t size = 0;   ///< bytes of it in a value of the dataset
  std::uint32_t offset = 0; ///< which begin there
};

/// Those of a dataset of this type; nothing if its rows are all alike. Under the lock. Throws
/// Error(type) with the reason, for who reports it, for lists that kaon does not read.
[[nodiscard]] std::optional<VariableRows> variableRowsOf(hid_t type);

/// Its values as they are stored, as bytes. Under the lock.
[[nodiscard]] ValueType storedBytesOf(const VariableRows& rows, Handle type);

} // namespace kaon::hdf5
