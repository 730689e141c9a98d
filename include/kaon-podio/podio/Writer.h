#pragma once

#include <podio/Frame.h>

#include <kaon/event/Writer.h>

#include <string>
#include <vector>

namespace podio {

/// Writes a .kaon file or a file of another format. kaon::Writer does the same and has options.
class Writer {
public:
  explicit Writer(const std::string& path, const std::string& format = {})
      : m_writer(path, {.format = format}) {}

  void writeFrame(const Frame& frame, const std::string& category) {
    m_writer.write(frame, category);
  }
  void writeFrame(const Frame& frame, const std::string& category,
                  const std::vector<std::string>& collections) {
    m_writer.write(frame, category, collections);
  }
  void writeEvent(const Frame& frame) { writeFrame(frame, Category::Event); }
  void writeEvent(const Frame& frame, const std::vector<std::string>& collections) {
    writeFrame(frame, Category::Event, collections);
  }
  void finish() { m_writer.finish(); }

private:
  kaon::Writer m_writer;
};

[[nodiscard]] inline Writer makeWriter(const std::string& path) { return Writer(path); }

} // namespace podio
