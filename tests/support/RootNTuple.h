#pragma once

#include <kaon/base/Hash.h>
#include <kaon/formats/root/ntuple/Envelope.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/RootBytes.h"

// Files with an RNTuple whose description can be changed: it is decompressed at the end of the
// file, and its checksums can be updated.

namespace kaon::test {

/// A ROOT file with one RNTuple, with decompressed envelopes.
class ForgedNTuple {
public:
  /// `bytes` are those of the file; the RNTuple is at `path`.
  ForgedNTuple(std::string bytes, std::string_view path) : m_bytes(std::move(bytes)) {
    const root::RootContainer container(
        io::memorySource("f.root", std::as_bytes(std::span(m_bytes))));
    for (const root::ListedObject& object : container.objects())
      if (object.path == path)
        read(container, object.key);
  }

  /// Returns the bytes of the file with correct checksums.
  [[nodiscard]] std::string bytes() const {
    std::string made = m_bytes;
    const std::string header = withChecksum(envelopes[0]);
    const std::string headerSum = header.substr(header.size() - 8);
    std::vector<std::pair<std::string, std::string>> moved; // links in the footer
    for (std::size_t i = 2; i < envelopes.size(); ++i) {
      std::string list = envelopes[i];
      put(list, 8, headerSum);
      moved.emplace_back(m_links[i - 2], link(list.size(), list.size(), made.size()));
      made += withChecksum(list);
    }
    std::string footer = envelopes[1];
    put(footer, 16, headerSum);
    for (const auto& [old, current] : moved)
      if (const std::size_t at = footer.find(old); at != std::string::npos)
        put(footer, at, current);
    patchAnchor(made, 14, made.size(), header.size());
    made += header;
    patchAnchor(made, 38, made.size(), footer.size());
    made += withChecksum(footer);
    const auto covered = std::as_bytes(std::span(made)).subspan(m_anchor + 6, 64);
    put(made, m_anchor + 70, bigEndian(checksum(covered)));
    return made;
  }

  /// Header, footer and page lists, each with its first word and its checksum.
  std::vector<std::string> envelopes;

private:
  static void put(std::string& bytes, std::size_t at, std::string_view others) {
    std::ranges::copy(others, bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  template <class T>
  static std::string little(T value) {
    std::string text(sizeof(T), '\0');
    std::memcpy(text.data(), &value, sizeof(T));
    return text;
  }
  static std::string withChecksum(std::string envelope) {
    const std::size_t covered = envelope.size() - 8;
    const auto sum = checksum(std::as_bytes(std::span(envelope)).first(covered));
    put(envelope, covered, little(sum));
    return envelope;
  }
  static std::string link(std::uint64_t length, std::uint64_t stored, std::uint64_t position) {
    std::string text = little(length);
    text.append(little(static_cast<std::int32_t>(stored)));
    return text.append(little(position));
  }
  void patchAnchor(std::string& made, std::size_t offset, std::uint64_t position,
                   std::uint64_t length) const {
    for (const std::uint64_t value : {position, length, length}) {
      put(made, m_anchor + offset, bigEndian(value));
      offset += sizeof(value);
    }
  }

  void read(const root::RootContainer& container, const root::RecordKey& key) {
    m_anchor = static_cast<std::size_t>(key.position + key.keyBytes);
    const root::NTupleAnchor anchor = root::readAnchor(container, key);
    add(container, anchor.header, root::EnvelopeType::header);
    add(container, anchor.footer, root::EnvelopeType::footer);
    const root::NTupleDescriptor descriptor = root::readDescriptor(container, anchor, "f.root");
    for (const root::ClusterGroup& group : descriptor.groups) {
      const root::EnvelopeLink& list = group.pageList;
      m_links.push_back(link(list.length, list.place.bytes, list.place.position));
      add(container, list, root::EnvelopeType::pageList);
    }
  }
  void add(const root::RootContainer& container, const root::EnvelopeLink& place,
           root::EnvelopeType type) {
    Buffer stored, room;
    const auto bytes = root::readBlob(container.bytes(), place.place, 0, stored, "");
    const auto payload = root::openEnvelope(bytes, type, place.length, room, "").payload;
    const auto all = std::span(payload.data() - 8, payload.size() + 16);
    envelopes.emplace_back(reinterpret_cast<const char*>(all.data()), all.size());
  }

  std::string m_bytes;
  std::size_t m_anchor = 0;
  std::vector<std::string> m_links; // to page lists, in the form of the footer
};

} // namespace kaon::test
