#pragma once

#include "Arrays.h"

#include <kaon/detail/formats/arrow/CInterface.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon::python {

/// An array as Arrow's C interface has it, whose buffers are those of Python's objects.
class EntryArray {
public:
  /// The arrays below must outlive it, as nanobind takes care of.
  EntryArray(std::string format, std::string name, std::int64_t length,
             const nanobind::typed<nanobind::sequence, nanobind::object>& buffers,
             const nanobind::typed<nanobind::sequence, EntryArray>& children,
             const nanobind::object& dictionary, std::int64_t nulls,
             const std::map<std::string, std::string>& metadata);
  EntryArray(const EntryArray&) = delete;
  EntryArray& operator=(const EntryArray&) = delete;
  [[nodiscard]] const ArrowSchema& type() const noexcept { return m_type; }
  [[nodiscard]] const ArrowArray& values() const noexcept { return m_values; }

private:
  std::string m_format, m_name, m_metadata;
  std::vector<AnyArray> m_owners;        // kept alive
  std::vector<nanobind::object> m_parts; // likewise
  std::vector<const void*> m_buffers;
  std::vector<ArrowSchema*> m_types;
  std::vector<ArrowArray*> m_arrays;
  ArrowSchema m_type = {};
  ArrowArray m_values = {};
};

} // namespace kaon::python
