#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/WriterOptions.h>
#include <kaon/model/ModelDatatypes.h>

#include <string>
#include <vector>

namespace kaon {

/// Copies all that is in a file to a new .kaon file that is laid out anew: other layouts, groups,
/// codecs, encodings, precision, sizes of clusters and pages; values named as tags or keys become
/// such, and so do parameters that are one number in each entry. What the options do not name lies
/// as it did. Whole clusters are copied, in parallel; memory is for a few of them.
///
/// Members that were rounded can only be rounded further. The file appears at `out` when it is
/// whole; what was there stays until then, and if anything goes wrong. Of a file that is not
/// finished what is whole is copied, with a warning.
///
/// With models the copy is of their versions, whatever the file is of: it has the names, types and
/// defaults that EvolvedFile gives. Collections in rows that differ are then laid out by member.
///
/// Throws Error(usage) where both are the same file, for `append` and `provenance`, which make no
/// sense here, and for what does not fit the data; Error(name), with a suggestion, for names that
/// no category has; else as Reader and Writer.
void relayout(const std::string& in, const std::string& out, const WriterOptions& options = {},
              const Progress& progress = {}, std::vector<ModelDatatypes::Document> models = {});

} // namespace kaon
