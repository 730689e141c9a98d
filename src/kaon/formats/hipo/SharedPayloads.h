#pragma once

#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace kaon::hipo {

/// Records that readers of a file have decompressed and still use, so that others that come to them
/// meanwhile need not do it again. Any thread.
class SharedPayloads {
public:
  /// Null if nobody has the record.
  [[nodiscard]] std::shared_ptr<const Payload> find(std::size_t record) const {
    const std::lock_guard lock(m_mutex);
    const auto known = m_payloads.find(record);
    return known == m_payloads.end() ? nullptr : known->second.lock();
  }
  /// All events of a record.
  void add(std::size_t record, const std::shared_ptr<const Payload>& payload) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_payloads, [](const auto& known) { return known.second.expired(); });
    m_payloads.insert_or_assign(record, payload);
  }

private:
  mutable std::mutex m_mutex; // of what follows
  std::map<std::size_t, std::weak_ptr<const Payload>> m_payloads;
};

} // namespace kaon::hipo
