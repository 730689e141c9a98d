#include <kaon/formats/root/podio/SideRows.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace kaon::root::podio {
namespace {

[[noreturn]] void failSide(const SideTable& side, std::uint64_t entry, const Source& stored,
                           std::string_view what) {
  const Schema& schema = stored.schema();
  fail(ErrorKind::corrupt, stored.name(), ": entry ", entry, ": '", schema.table(side.rows).name,
       "' ", what, " of '", schema.table(side.objects).name, "'; the file is damaged");
}

} // namespace

void SideRows::find(const SideTable& side, const detail::PageRange& range, PodioPages& pages,
                    const Source& stored) {
  if (areSame(m_range, range) && range.lastEntry > 0)
    return;
  m_range = {}; // stays empty if this fails
  m_areAsStored = true;
  m_offsets.clear();
  if (side.begins != SideTable::none) {
    findSlices(side, range, pages, stored);
  } else {
    const auto objects = pages.offsets(side.objects, range);
    const auto rows = pages.offsets(side.rows, range);
    const auto differ = std::ranges::mismatch(objects, rows).in1 - objects.begin();
    if (static_cast<std::size_t>(differ) < objects.size())
      failSide(side, range.firstEntry + static_cast<std::uint64_t>(differ) - 1, stored,
               "does not have one row for each object");
    m_size = rows.back();
  }
  m_range = range;
}

void SideRows::findSlices(const SideTable& side, const detail::PageRange& range, PodioPages& pages,
                          const Source& stored) {
  const auto objects = pages.offsets(side.objects, range);
  const auto rows = pages.offsets(side.rows, range);
  const PageValues<std::uint32_t> begins(pages.page(side.begins, range));
  const PageValues<std::uint32_t> ends(pages.page(side.ends, range));
  m_offsets.resize(std::size_t{objects.back()} + 1);
  m_offsets[0] = 0;
  std::uint32_t total = 0;
  for (std::size_t entry = 0; entry + 1 < objects.size(); ++entry) {
    const std::uint32_t size = rows[entry + 1] - rows[entry], before = total;
    std::uint32_t next = 0;
    for (std::size_t object = objects[entry]; object < objects[entry + 1]; ++object) {
      const std::uint32_t begin = begins[object], end = ends[object];
      if (begin > end || end > size)
        failSide(side, range.firstEntry + entry, stored, "has other rows than the slices");
      if (end - begin > size - (total - before))
        failSide(side, range.firstEntry + entry, stored, "has rows that are in several slices");
      m_areAsStored &= begin == next || begin == end;
      next = begin == end ? next : end;
      total += end - begin;
      m_offsets[object + 1] = total;
    }
    m_areAsStored &= next == size;
  }
  m_size = total;
  if (!m_areAsStored)
    listRows(side, range, pages);
}

void SideRows::listRows(const SideTable& side, const detail::PageRange& range, PodioPages& pages) {
  const auto objects = pages.offsets(side.objects, range);
  const auto rows = pages.offsets(side.rows, range);
  const PageValues<std::uint32_t> begins(pages.page(side.begins, range));
  m_rows.resize(m_size);
  for (std::size_t entry = 0; entry + 1 < objects.size(); ++entry)
    for (std::size_t object = objects[entry]; object < objects[entry + 1]; ++object)
      std::iota(m_rows.begin() + m_offsets[object], m_rows.begin() + m_offsets[object + 1],
                rows[entry] + begins[object]);
}

} // namespace kaon::root::podio
