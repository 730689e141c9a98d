#pragma once

#include <kaon/base/Buffer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <libdeflate.h>
#include <string>
#include <string_view>
#include <vector>
#include <zstd.h>

// HIPO files, assembled byte by byte by the rules of the format, also in forms that kaon does not
// write.

namespace kaon::test {

/// The form of a file.
struct HipoForm {
  bool isBigEndian = false;
  std::string id = "HIPO";
  std::uint32_t version = 6;
  std::uint32_t type = 0; ///< of compression: 0, 1 (LZ4, literals only), 3 (gzip) or 4 (zstd)
  bool isFinished = true;
  bool countsPadding = false; ///< whether the length of a record counts its padding
};

class HipoBytes {
public:
  explicit HipoBytes(HipoForm form = {}) : m_form(std::move(form)) {}

  struct Record {
    std::vector<std::string> events;
    std::uint64_t tag = 0;
  };

  /// Returns consecutive numbers of any type, in the form of a file.
  template <class... T>
  [[nodiscard]] std::string numbers(T... values) const {
    std::string bytes;
    (append(bytes, values), ...);
    return bytes;
  }

  [[nodiscard]] std::string structure(std::uint16_t group, std::uint8_t item, std::uint8_t type,
                                      const std::string& data, std::string_view format = "") const {
    const auto length = static_cast<std::uint32_t>(data.size() + format.size()) |
                        static_cast<std::uint32_t>(format.size()) << 24;
    return numbers(group, item, type, length) + std::string(format) + data;
  }
  [[nodiscard]] std::string event(const std::vector<std::string>& structures, std::uint32_t tag = 0,
                                  std::uint32_t mask = 0) const {
    std::string inside;
    for (const std::string& each : structures)
      inside += each;
    return "EV4a" + numbers(static_cast<std::uint32_t>(16 + inside.size()), tag, mask) + inside;
  }
  /// Returns an event with an entry of the dictionary.
  [[nodiscard]] std::string bank(const std::string& text) const {
    return event({structure(120, 2, 6, text)});
  }

  [[nodiscard]] std::string record(const Record& record) const {
    std::string payload, events;
    for (const std::string& each : record.events) {
      payload += numbers(static_cast<std::uint32_t>(each.size()));
      events += each;
    }
    return stored(record, payload + events, static_cast<std::uint32_t>(events.size()), m_form.type);
  }
  /// Returns a record of another type, whose payload is stored unchanged.
  [[nodiscard]] std::string stored(const Record& record, const std::string& payload,
                                   std::uint32_t eventBytes, std::uint32_t type) const {
    std::string bytes = compressed(payload);
    const auto padding = static_cast<std::uint32_t>((4 - bytes.size() % 4) % 4);
    bytes.append(padding, '\x55');
    const auto words = static_cast<std::uint32_t>(bytes.size() / 4);
    const auto events = static_cast<std::uint32_t>(record.events.size());
    const std::uint32_t declared = m_form.countsPadding ? 0 : padding;
    return numbers(words + 14, 1U, 14U, events, 4 * events, declared << 24 | m_form.version, 0U,
                   magic, eventBytes, type << 28 | words, record.tag, std::uint64_t{0}) +
           bytes;
  }

  /// Returns a file with a dictionary and records.
  [[nodiscard]] std::string file(const std::vector<std::string>& dictionary,
                                 const std::vector<Record>& records) const {
    std::vector<std::string> all;
    for (const Record& each : records)
      all.push_back(record(each));
    return fileOf(dictionary, records, all);
  }
  /// Returns a file with records in their stored form.
  [[nodiscard]] std::string fileOf(const std::vector<std::string>& dictionary,
                                   const std::vector<Record>& records,
                                   const std::vector<std::string>& all) const {
    const std::string first = record({dictionary, 0});
    std::string bytes(56, '\0');
    bytes += first;
    std::string positions, lengths, counts, tags, words;
    for (std::size_t i = 0; i < all.size(); ++i) {
      positions += numbers(std::uint64_t{bytes.size()});
      lengths += numbers(static_cast<std::uint32_t>(all[i].size()));
      counts += numbers(static_cast<std::uint32_t>(records[i].events.size()));
      tags += numbers(records[i].tag);
      words += numbers(std::uint64_t{0});
      bytes += all[i];
    }
    const std::uint64_t trailer = m_form.isFinished ? bytes.size() : 0;
    if (m_form.isFinished)
      bytes += record(
          {{event({structure(32111, 1, 11, positions + lengths + counts + tags + words)})}, 0});
    const std::string id =
        m_form.isBigEndian ? std::string(m_form.id.rbegin(), m_form.id.rend()) : m_form.id;
    bytes.replace(0, 56,
                  id + numbers(1U, 14U, 0U, 0U, m_form.version,
                               static_cast<std::uint32_t>(first.size()), magic, std::uint64_t{0},
                               trailer, 0U, 0U));
    return bytes;
  }

  /// Returns an LZ4 block with literals only.
  [[nodiscard]] static std::string literals(const std::string& bytes) {
    std::string out;
    if (bytes.size() < 15) {
      out += static_cast<char>(bytes.size() << 4);
    } else {
      out += '\xF0';
      std::size_t rest = bytes.size() - 15;
      for (; rest >= 255; rest -= 255)
        out += '\xFF';
      out += static_cast<char>(rest);
    }
    return out + bytes;
  }

private:
  static constexpr std::uint32_t magic = 0xC0DA0100;

  template <class T>
  void append(std::string& bytes, T value) const {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    if (m_form.isBigEndian)
      std::ranges::reverse(raw);
    bytes.append(raw.data(), raw.size());
  }

  [[nodiscard]] std::string compressed(const std::string& bytes) const {
    if (m_form.type == 1)
      return literals(bytes);
    if (m_form.type != 3 && m_form.type != 4)
      return bytes;
    std::string out(bytes.size() + 1000, '\0');
    if (m_form.type == 4) {
      out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
      return out;
    }
    libdeflate_compressor* const context = libdeflate_alloc_compressor(1);
    out.resize(
        libdeflate_gzip_compress(context, bytes.data(), bytes.size(), out.data(), out.size()));
    libdeflate_free_compressor(context);
    return out;
  }

  HipoForm m_form;
};

} // namespace kaon::test
