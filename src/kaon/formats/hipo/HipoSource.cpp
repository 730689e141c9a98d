#include <kaon/formats/hipo/HipoSource.h>

#include <kaon/formats/hipo/HipoCursor.h>

namespace kaon::hipo {

std::unique_ptr<detail::Cursor> HipoSource::cursor() const {
  return std::make_unique<HipoCursor>(m_contents);
}

} // namespace kaon::hipo
