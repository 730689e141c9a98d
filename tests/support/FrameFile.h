#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/event/Frame.h>
#include <kaon/event/Writer.h>
#include <kaon/io/ByteSink.h>

#include <utility>

namespace kaon::test {

/// Returns a file with one event and uncompressed pages.
[[nodiscard]] inline Buffer fileOf(Frame frame) {
  Buffer bytes;
  Writer writer(io::memorySink("memory.kaon", bytes), {.codec = uncompressed()});
  writer.write(frame, "events");
  writer.finish();
  return bytes;
}

} // namespace kaon::test
