#pragma once

#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace kaon::hipo {

/// Decompressed records that readers of a file still use. Other readers of the same record share
/// them. Any thread may call all functions.
class SharedPayloads {
public:
  /// Returns the record, or null if no reader uses it.
  [[nodiscard]] std::shared_ptr<const Payload> find(std::size_t record) const {
    const std::lock_guard lock(m_mutex);
    const auto known = m_payloads.find(record);
    return known == m_payloads.end() ? nullptr : known->second.lock();
  }
  /// Adds a record with all of its events.
  void add(std::size_t record, const std::shared_ptr<const Payload>& payload) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_payloads, [](const auto& known) { return known.second.expired(); });
    m_payloads.insert_or_assign(record, payload);
  }

private:
  mutable std::mutex m_mutex; // guards m_payloads
  std::map<std::size_t, std::weak_ptr<const Payload>> m_payloads;
};

} // namespace kaon::hipo
