#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <libdeflate.h>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// SIO files, and LCIO's records in them, assembled byte by byte by the rules of the formats.

namespace kaon::test {

/// Returns consecutive numbers of any type, big-endian as in SIO, with padding at the end.
template <class... T>
[[nodiscard]] std::string sioNumbers(T... values) {
  std::string bytes;
  const auto append = [&](auto value) {
    char turned[sizeof value];
    std::memcpy(turned, &value, sizeof value);
    for (std::size_t i = sizeof value; i-- > 0;)
      bytes += turned[i];
  };
  (append(values), ...);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

[[nodiscard]] inline std::string sioText(std::string_view text) {
  std::string bytes = sioNumbers(static_cast<std::int32_t>(text.size())) + std::string(text);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

[[nodiscard]] inline std::string sioName(std::string_view name) {
  std::string bytes(name);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

[[nodiscard]] constexpr std::uint32_t sioVersion(std::uint32_t major, std::uint32_t minor) {
  return major << 16 | minor;
}

[[nodiscard]] inline std::string sioBlock(std::string_view name, const std::string& content,
                                          std::uint32_t version = sioVersion(2, 23)) {
  const std::string padded = sioName(name);
  return sioNumbers(static_cast<std::uint32_t>(16 + padded.size() + content.size()), 0xDEADBEEFU,
                    version, static_cast<std::uint32_t>(name.size())) +
         padded + content;
}

[[nodiscard]] inline std::string zlibOf(const std::string& bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> deflater(
      libdeflate_alloc_compressor(6), &libdeflate_free_compressor);
  std::string out(libdeflate_zlib_compress_bound(deflater.get(), bytes.size()), '\0');
  out.resize(
      libdeflate_zlib_compress(deflater.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

[[nodiscard]] inline std::string sioRecord(std::string_view name, const std::string& blocks,
                                           bool isCompressed = false, bool countsPadding = false) {
  const std::string padded = sioName(name);
  std::string data = isCompressed ? zlibOf(blocks) : blocks;
  const std::size_t whole = (data.size() + 3) / 4 * 4;
  const auto stored = static_cast<std::uint32_t>(countsPadding ? whole : data.size());
  data.resize(whole);
  return sioNumbers(static_cast<std::uint32_t>(24 + padded.size()), 0xABADCAFEU,
                    isCompressed ? 1U : 0U, stored, static_cast<std::uint32_t>(blocks.size()),
                    static_cast<std::uint32_t>(name.size())) +
         padded + data;
}

/// Returns empty parameters in the form of a version of LCIO.
[[nodiscard]] inline std::string lcioNoParameters(std::uint32_t version = sioVersion(2, 23)) {
  if (version <= sioVersion(1, 1))
    return "";
  return version > sioVersion(2, 16) ? sioNumbers(0, 0, 0, 0) : sioNumbers(0, 0, 0);
}

/// A collection of an event: the contents of its block after the parameters.
struct LcioCollection {
  std::string name;
  std::string type; ///< with "_References" if it is a subset
  std::uint32_t flag = 0;
  std::string objects; ///< with their number
  std::string parameters = {};
};

/// Returns the two records of an event.
[[nodiscard]] inline std::string lcioEvent(std::int32_t number,
                                           const std::vector<LcioCollection>& collections,
                                           bool isCompressed = false,
                                           std::uint32_t version = sioVersion(2, 23),
                                           const std::string& parameters = "") {
  std::string list, blocks;
  for (const LcioCollection& each : collections) {
    list += sioText(each.name) + sioText(each.type);
    blocks += sioBlock(each.name,
                       sioNumbers(each.flag) +
                           (each.parameters.empty() ? lcioNoParameters(version) : each.parameters) +
                           each.objects,
                       version);
  }
  const std::string header = sioNumbers(7, number, std::int64_t{1000} + number) +
                             sioText("ILD_l5_v02") +
                             sioNumbers(static_cast<std::int32_t>(collections.size())) + list +
                             (parameters.empty() ? lcioNoParameters(version) : parameters);
  return sioRecord("LCEventHeader", sioBlock("EventHeader", header, version), isCompressed) +
         sioRecord("LCEvent", blocks, isCompressed);
}

[[nodiscard]] inline std::string lcioRun(std::int32_t number,
                                         std::uint32_t version = sioVersion(2, 23)) {
  return sioRecord("LCRunHeader", sioBlock("RunHeader",
                                           sioNumbers(number) + sioText("ILD_l5_v02") +
                                               sioText("a run") + sioNumbers(2) + sioText("VXD") +
                                               sioText("TPC") + lcioNoParameters(version),
                                           version));
}

/// Returns a particle with its parents, which are referred to by their numbers.
[[nodiscard]] inline std::string lcioParticle(std::uint32_t number, std::int32_t pdg,
                                              const std::vector<std::uint32_t>& parents,
                                              std::uint32_t status = 0, double x = 0) {
  std::string bytes = sioNumbers(number, static_cast<std::int32_t>(parents.size()));
  for (const std::uint32_t parent : parents)
    bytes += sioNumbers(parent);
  bytes += sioNumbers(pdg, 1, status) + sioNumbers(x, 0.0, 0.0) + sioNumbers(0.5F) +
           sioNumbers(1.F, 2.F, 3.F, 0.25F, -1.F);
  if ((status & 1U << 31) != 0)
    bytes += sioNumbers(7.0, 8.0, 9.0) + sioNumbers(4.F, 5.F, 6.F);
  return bytes + sioNumbers(0.F, 0.F, 1.F, 0, 0);
}

} // namespace kaon::test
