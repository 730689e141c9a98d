#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

/// A file that forwards all calls to another file. Derived classes override some of them.
class WrappedFile : public File {
public:
  explicit WrappedFile(std::shared_ptr<const File> file) : m_file(std::move(file)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_file->name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return m_file->format(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_file->bytes(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_file->id(); }
  [[nodiscard]] std::vector<std::string> categories() const override {
    return m_file->categories();
  }
  [[nodiscard]] const Source& category(std::string_view name) const override {
    return m_file->category(name);
  }
  [[nodiscard]] std::vector<std::string> documents() const override { return m_file->documents(); }
  [[nodiscard]] std::string document(std::string_view name) const override {
    return m_file->document(name);
  }
  [[nodiscard]] bool isComplete() const noexcept override { return m_file->isComplete(); }
  [[nodiscard]] bool hasOptionalsByValues() const override {
    return m_file->hasOptionalsByValues();
  }
  [[nodiscard]] std::vector<Overhead> overheads() const override { return m_file->overheads(); }
  [[nodiscard]] const ObjectStore* objectStore() const noexcept override {
    return m_file->objectStore();
  }

protected:
  [[nodiscard]] const std::shared_ptr<const File>& wrapped() const noexcept { return m_file; }

private:
  std::shared_ptr<const File> m_file;
};

} // namespace kaon::detail
