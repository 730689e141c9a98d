#pragma once

#include <kaon/detail/batch/WrappedFile.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::test {

/// Wraps a file and records which columns are decoded: "Hits.energy values", "Hits counts".
class DecodedColumns final : public detail::WrappedFile {
public:
  explicit DecodedColumns(std::shared_ptr<const File> file) : detail::WrappedFile(std::move(file)) {
    for (const std::string& category : wrapped()->categories())
      m_sources.emplace(category, std::make_unique<Category>(wrapped()->category(category), *this));
  }

  /// Returns by column the first entries of the pages that were decoded since the last call.
  [[nodiscard]] std::map<std::string, std::multiset<std::uint64_t>> take() const {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_decoded, {});
  }
  /// Returns only the names of these columns.
  [[nodiscard]] std::set<std::string> takeNames() const {
    std::set<std::string> names;
    for (const auto& [name, entries] : take())
      names.insert(name);
    return names;
  }

  [[nodiscard]] const Source& category(std::string_view name) const override {
    return *m_sources.find(name)->second;
  }

private:
  void add(std::string column, std::uint64_t firstEntry) const {
    const std::lock_guard lock(m_mutex);
    m_decoded[std::move(column)].insert(firstEntry);
  }

  class Reading final : public detail::Cursor {
  public:
    Reading(std::unique_ptr<detail::Cursor> cursor, const Schema& schema,
            const DecodedColumns& owner)
        : m_cursor(std::move(cursor)), m_schema(schema), m_owner(owner) {}
    void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
      m_cursor->fetch(columns, entries);
    }
    [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
      return m_cursor->pages(group, entry);
    }
    void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
              detail::Page& page) override {
      const Column& info = m_schema.columns()[column];
      std::string name(m_schema.table(info.table).name);
      if (info.role == ColumnRole::member)
        name = m_schema.nameOfMember(info.table, info.member);
      m_owner.add(name + " " + std::string(roleName(info.role)), range.firstEntry);
      m_cursor->read(column, range, values, page);
    }

  private:
    std::unique_ptr<detail::Cursor> m_cursor;
    const Schema& m_schema;
    const DecodedColumns& m_owner;
  };

  class Category final : public Source {
  public:
    Category(const Source& source, const DecodedColumns& owner)
        : m_source(source), m_owner(owner) {}
    [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
    [[nodiscard]] const Schema& schema() const noexcept override { return m_source.schema(); }
    [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
    [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
    [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override {
      return std::make_unique<Reading>(m_source.cursor(), schema(), m_owner);
    }

  private:
    const Source& m_source;
    const DecodedColumns& m_owner;
  };

  std::map<std::string, std::unique_ptr<Category>, std::less<>> m_sources;
  mutable std::mutex m_mutex; // guards m_decoded
  mutable std::map<std::string, std::multiset<std::uint64_t>> m_decoded;
};

} // namespace kaon::test
