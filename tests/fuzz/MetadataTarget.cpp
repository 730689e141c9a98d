#include "fuzz/Reading.h"

#include <kaon/model/Json.h>
#include <kaon/model/Metadata.h>

#include <array>
#include <vector>

// Reads, writes and merges metadata; writes and reads any JSON again.

using kaon::ErrorKind;
using kaon::Json;
using kaon::Metadata;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = kaon::fuzz::textOf(data, size);
  kaon::fuzz::expectErrors({ErrorKind::corrupt}, "f", [&] {
    const Json json = kaon::detail::parseJson(text, "f");
    if (kaon::detail::parseJson(json.text(), "f") != json)
      kaon::fuzz::breakOff("JSON is read as it was written", json.text());
  });
  kaon::fuzz::expectErrors({ErrorKind::corrupt}, "f", [&] {
    const Metadata metadata = Metadata::fromJson(text, "f");
    const std::string written = metadata.toJson();
    if (Metadata::fromJson(written, "f").toJson() != written)
      kaon::fuzz::breakOff("metadata are read as they were written", written);
    std::vector<std::string> mistakes;
    (void)Metadata::merged(std::array{metadata, metadata}, &mistakes);
  });
  return 0;
}
