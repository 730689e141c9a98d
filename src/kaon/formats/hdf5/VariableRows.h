#pragma once

#include <kaon/formats/hdf5/GlobalHeap.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/formats/hdf5/ValueType.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <optional>

namespace kaon::hdf5 {

/// How rows of a dataset, or a member of them, vary in length: strings, and lists of numbers.
struct VariableRows {
  enum class Form : std::uint8_t {
    terminated, ///< Characters, a zero, then any bytes up to the row's end.
    padded,     ///< Characters, then zeros up to the row's end.
    blanks,     ///< Characters, then blanks up to the row's end.
    heap,       ///< The place and number of the elements: see GlobalHeap.h.
    object      ///< The address of an object of the file, whose path is the text; 0: none.
  };
  Form form = Form::heap;
  bool isText = false;
  Scalar element = Scalar::UInt8;
  std::uint32_t size = 0;   ///< bytes in a value of the dataset
  std::uint32_t offset = 0; ///< where these bytes begin
};

/// Returns the form of rows of this type, or nothing if all rows have the same length. Call it
/// under the lock. Throws Error(type) with the reason for lists that kaon does not read; the caller
/// reports it.
[[nodiscard]] std::optional<VariableRows> variableRowsOf(hid_t type);

/// Returns a type for the stored bytes of these rows. Call it under the lock.
[[nodiscard]] ValueType storedBytesOf(const VariableRows& rows, Hdf5Handle type);

} // namespace kaon::hdf5
