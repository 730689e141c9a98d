#pragma once

#include <cstddef>
#include <iterator>

namespace kaon {

/// Goes once through what has next() and page(), as StoredPages does; its end is
/// std::default_sentinel.
template <class Pages, class Page>
class PageIterator {
public:
  using value_type = Page;
  using difference_type = std::ptrdiff_t;
  explicit PageIterator(Pages& pages) : m_pages(pages.next() ? &pages : nullptr) {}
  const Page& operator*() const { return m_pages->page(); }
  PageIterator& operator++() {
    if (!m_pages->next())
      m_pages = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const PageIterator& i, std::default_sentinel_t) { return !i.m_pages; }

private:
  Pages* m_pages;
};

} // namespace kaon
