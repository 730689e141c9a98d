#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/podio/FrameParameter.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio {

/// The stored form of a parameter or a value.
struct ParameterPlan {
  std::string key;
  FrameParameter from;
};

/// Adds a loss. Its arguments are set one by one, because GCC 12 warns about moving a short text.
void addLoss(std::vector<detail::Loss>& losses, TableNumber table, std::string_view reason);

/// Sorts parameters in the order of maps. Parameters beyond the limit for reading become losses.
void sortByKey(std::vector<ParameterPlan>& parameters, std::vector<detail::Loss>& losses);

/// Writes the values of an entry, after their number.
void putValues(const FrameParameterValues& values, const FrameParameter& parameter,
               std::size_t entry, BlockWriter& out);

} // namespace kaon::sio
