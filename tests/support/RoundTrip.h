#pragma once

#include "support/Contents.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"

#include <kaon/batch/Sink.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

namespace kaon::test {

/// Writes random events with tables of all kinds, and expects to read the same events. `Writing` is
/// constructed from options, has the sink `writer`, and returns the file from finished().
template <class Writing>
void expectRandomEventsBack(const SinkOptions& options, Layout layout) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    RandomEvents events(seed, seed % 2 == 0 ? 5 : 100);
    Writing writing(options);
    detail::BatchBuilder builder;
    Contents written;
    const auto tables = assortedTables(layout);
    // The tables are added one after another, with whole clusters between them.
    const std::size_t tablesAtFirst = seed < 3 ? tables.size() : 0;
    for (std::size_t cluster = 0; cluster < 4; ++cluster) {
      const std::size_t known = builder.schema().size();
      const std::size_t wanted = cluster == 0 ? tablesAtFirst : cluster == 2 ? 6 : tables.size();
      for (std::size_t i = known; i < wanted; ++i)
        builder.add(tables[i]);
      for (std::size_t i = 0; i < 12; ++i)
        events.addEntry(builder);
      const Batch batch = builder.batch(written.entries);
      written.append(batch);
      writing.writer.write("events", batch);
      builder.clear();
    }
    const auto file = writing.finished();
    EXPECT_EQ(file->category("events").entries(), 48U);
    EXPECT_EQ(contentsOf(file->category("events")), written) << "seed " << seed;
  }
}

} // namespace kaon::test
