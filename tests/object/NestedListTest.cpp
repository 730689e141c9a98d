#include "nestedmodel/nestedmodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Forgery.h"
#include "support/FrameFile.h"
#include "support/MemorySink.h"
#include "support/Tables.h"

#include <kaon/base/Buffer.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/object/GenericCollection.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Vector members whose elements are lists: of numbers, components, strings and further lists.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::TableDefinition;
using kaon::TableKind;
using kaon::VectorView;
using kaon::Writer;
using kaon::test::expectError;
using kaon::test::Forgery;
using nested::Channel;
using nested::ChannelCollection;
using nested::MutableChannel;
using nested::Pulse;
using nested::Quality;

using Floats = std::vector<float>;
using Texts = std::vector<std::string>;

/// Returns a view and the views inside it as vectors.
template <class T>
auto copied(const VectorView<T>& view) {
  if constexpr (kaon::detail::isVectorView<T>) {
    std::vector<decltype(copied(view[0]))> all;
    for (const auto& list : view)
      all.push_back(copied(list));
    return all;
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return Texts(view.begin(), view.end());
  } else {
    return std::vector<T>(view.begin(), view.end());
  }
}

using Windows = std::vector<std::vector<std::vector<std::int16_t>>>;

/// Returns the lists of channel number i: no lists, empty lists, or lists with values.
std::vector<Floats> waveformsOf(std::size_t i) {
  std::vector<Floats> waveforms(i % 4);
  for (std::size_t k = 0; k < waveforms.size(); ++k)
    for (std::size_t n = 0; n < (i + 3 * k) % 5; ++n)
      waveforms[k].push_back(static_cast<float>(i) + static_cast<float>(n) / 8);
  return waveforms;
}
std::vector<Texts> labelsOf(std::size_t i) {
  std::vector<Texts> labels(i % 3);
  for (std::size_t k = 0; k < labels.size(); ++k)
    for (std::size_t n = 0; n < (i + k) % 4; ++n)
      labels[k].push_back(n % 2 == 0 ? "" : "größer als " + std::to_string(i));
  return labels;
}
Windows windowsOf(std::size_t i) {
  Windows windows(i % 3);
  for (std::size_t k = 0; k < windows.size(); ++k) {
    windows[k].resize((i + k) % 3);
    for (std::size_t n = 0; n < windows[k].size(); ++n)
      windows[k][n].assign((i + n) % 4, static_cast<std::int16_t>(100 * i + n));
  }
  return windows;
}
std::vector<Pulse> pulsesOf(std::size_t i) {
  std::vector<Pulse> pulses;
  for (std::size_t n = 0; n < i % 4; ++n)
    pulses.push_back({static_cast<float>(n) / 4, static_cast<std::int32_t>(i)});
  return pulses;
}

ChannelCollection makeChannels(std::size_t count) {
  ChannelCollection channels;
  for (std::size_t i = 0; i < count; ++i) {
    auto channel = channels.create(static_cast<int>(i), "channel " + std::to_string(i));
    channel.addToHits(static_cast<int>(i));
    for (const Floats& waveform : waveformsOf(i))
      channel.addToWaveforms(waveform);
    channel.addToPulses(pulsesOf(i));
    for (const Texts& labels : labelsOf(i))
      channel.addToLabels(labels);
    for (const auto& windows : windowsOf(i))
      channel.addToWindows(windows);
    channel.addToQualities({Quality::good, Quality::bad});
    channel.addToIsKept(std::vector<bool>(i % 2, true));
    channel.addToNeighbours(channels[i / 2]);
  }
  return channels;
}

void expectChannel(const Channel& channel, std::size_t i) {
  EXPECT_EQ(channel.getNumber(), static_cast<int>(i));
  EXPECT_EQ(channel.getName(), "channel " + std::to_string(i));
  EXPECT_EQ(channel.getHits(0), static_cast<int>(i));
  EXPECT_EQ(copied(channel.getWaveforms()), waveformsOf(i));
  ASSERT_EQ(channel.pulses_size(), 1U);
  EXPECT_EQ(copied(channel.getPulses(0)), pulsesOf(i));
  EXPECT_EQ(copied(channel.getLabels()), labelsOf(i));
  EXPECT_EQ(copied(channel.getWindows()), windowsOf(i));
  EXPECT_EQ(copied(channel.getQualities(0)), (std::vector{Quality::good, Quality::bad}));
  EXPECT_EQ(channel.getIsKept(0).size(), i % 2);
  EXPECT_EQ(channel.getNeighbours(0).getNumber(), static_cast<int>(i / 2));
}

void expectChannels(const ChannelCollection& channels, std::size_t count) {
  ASSERT_EQ(channels.size(), count);
  for (std::size_t i = 0; i < count; ++i)
    expectChannel(channels[i], i);
}

TEST(NestedListTest, beginsEmptyAndGrowsListByList) {
  ChannelCollection channels;
  auto channel = channels.create();
  EXPECT_TRUE(channel.getWaveforms().empty());

  channel.addToWaveforms({1, 2.5F});
  channel.addToWaveforms(Floats());
  channel.addToWaveforms(std::array{3, 4}); // converts the values
  EXPECT_EQ(copied(channel.getWaveforms()), (std::vector<Floats>{{1, 2.5F}, {}, {3, 4}}));
  EXPECT_EQ(channel.getWaveforms(0)[1], 2.5F);
  EXPECT_EQ(channel.getWaveforms().back().size(), 2U);
  EXPECT_THROW((void)channel.getWaveforms(3), std::out_of_range);
  EXPECT_THROW((void)channel.getWaveforms(1).at(0), std::out_of_range);

  channel.addToLabels({"rising", "", "falling"});
  EXPECT_EQ(channel.getLabels(0)[2], "falling");
  channel.addToWindows({{1, 2}, {}, {3}});
  EXPECT_EQ(copied(channel.getWindows()), (Windows{{{1, 2}, {}, {3}}}));

  float sum = 0;
  for (const auto waveform : channel.getWaveforms())
    for (const float sample : waveform)
      sum += sample;
  EXPECT_EQ(sum, 10.5F);
}

TEST(NestedListTest, mayGrowInTurnsWithOthers) {
  ChannelCollection channels;
  std::vector<std::vector<Floats>> expected(5);
  for (std::size_t i = 0; i < expected.size(); ++i)
    channels.create();
  for (std::size_t n = 0; n < 200; ++n) {
    const Floats values(n % 7, static_cast<float>(n));
    channels[n * n % 5].addToWaveforms(values);
    expected[n * n % 5].push_back(values);
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(copied(channels[i].getWaveforms()), expected[i]);
}

TEST(NestedListTest, takesListsOfItsOwnCollection) {
  ChannelCollection channels;
  auto channel = channels.create();
  channel.addToWaveforms({1, 2, 3});
  channel.addToWindows({{1}, {2, 3}});
  channel.addToLabels({"a text that is long enough to lie somewhere else"});
  for (std::size_t i = 0; i < 100; ++i) {
    channel.addToWaveforms(channel.getWaveforms(i));
    channel.addToWindows(channel.getWindows(i));
    channel.addToLabels(channel.getLabels(i));
  }
  EXPECT_EQ(copied(channel.getWaveforms(100)), (Floats{1, 2, 3}));
  EXPECT_EQ(copied(channel.getWindows()), Windows(101, {{1}, {2, 3}}));
  EXPECT_EQ(channel.getLabels(100)[0], channel.getLabels(0)[0]);
}

TEST(NestedListTest, isCopiedAndComparedWithItsObject) {
  ChannelCollection channels = makeChannels(20);
  ChannelCollection pushed;
  pushed.push_back(channels[7].clone());
  EXPECT_EQ(copied(pushed[0].getWaveforms()), waveformsOf(7));
  EXPECT_EQ(copied(pushed[0].getWindows()), windowsOf(7));

  ChannelCollection all = channels.toCollection();
  expectChannels(all, 20);
  EXPECT_TRUE(all == channels);
  // The lists of a copy may grow.
  all[3].addToWaveforms({1});
  EXPECT_FALSE(all == channels);
  EXPECT_EQ(all[3].waveforms_size(), 4U);
  expectChannels(channels, 20);
}

TEST(NestedListTest, differsIfInnermostListsDiffer) {
  const auto with = [](auto change) {
    ChannelCollection channels;
    MutableChannel channel = channels.create();
    channel.addToWaveforms({1, 2});
    channel.addToWindows({{1}, {2}});
    channel.addToLabels({"a", "b"});
    change(channel);
    return channels;
  };
  const auto same = with([](MutableChannel&) {});
  EXPECT_TRUE(same == with([](MutableChannel&) {}));
  ChannelCollection split, moved, text;
  split.create().addToWaveforms({1});
  auto channel = moved.create();
  channel.addToWaveforms({1, 2});
  channel.addToWindows({{1, 2}, {}});
  channel.addToLabels({"a", "b"});
  EXPECT_FALSE(same == split);
  EXPECT_FALSE(same == moved);
  channel = text.create();
  channel.addToWaveforms({1, 2});
  channel.addToWindows({{1}, {2}});
  channel.addToLabels({"a", "c"});
  EXPECT_FALSE(same == text);
}

TEST(NestedListTest, staysWithItsObjectWhenTheCollectionIsSorted) {
  ChannelCollection channels = makeChannels(10);
  channels.sort(std::ranges::greater{}, &Channel::getNumber);
  channels.erase(9);
  for (std::size_t i = 0; i < channels.size(); ++i)
    EXPECT_EQ(copied(channels[i].getWindows()), windowsOf(9 - i));
  ChannelCollection others = makeChannels(4);
  channels.append(std::move(others));
  EXPECT_EQ(copied(channels[12].getWaveforms()), waveformsOf(3));
}

class NestedFileTest : public testing::TestWithParam<Layout> {
protected:
  /// Writes events with increasing numbers of channels, in small clusters and pages.
  void writeEvents(std::size_t events) const {
    Writer writer(m_path, {.layout = GetParam(), .clusterEntries = 7, .pageBytes = 200});
    for (std::size_t i = 0; i < events; ++i) {
      Frame frame;
      frame.put(makeChannels(i), "Channels");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  kaon::test::TemporaryDirectory m_directory;
  const std::string m_path = m_directory / "nested.kaon";
};

TEST_P(NestedFileTest, isReadAsItWasWritten) {
  writeEvents(30);
  const Reader reader(m_path);
  std::size_t event = 0;
  for (const Frame& frame : reader["events"])
    expectChannels(frame.get<ChannelCollection>("Channels"), event++);
  EXPECT_EQ(event, 30U);
  expectChannels(reader["events"].at(12).get<ChannelCollection>("Channels"), 12);
}

TEST_P(NestedFileTest, isCopiedFromFileToFile) {
  writeEvents(12);
  const std::string copy = m_directory / "copy.kaon";
  {
    Reader reader(m_path);
    Writer writer(copy);
    for (Frame& frame : reader["events"]) {
      frame.put(frame.get<ChannelCollection>("Channels").toCollection(), "Copies");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  Reader reader(copy);
  std::size_t event = 0;
  for (const Frame& frame : reader["events"]) {
    expectChannels(frame.get<ChannelCollection>("Channels"), event);
    expectChannels(frame.get<ChannelCollection>("Copies"), event++);
  }
}

TEST_P(NestedFileTest, isReadWithoutItsClass) {
  writeEvents(9);
  const Reader reader(m_path);
  const Frame frame = reader["events"].at(8);
  const kaon::GenericCollection channels(*frame.get("Channels"));
  ASSERT_EQ(channels.size(), 8U);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const kaon::GenericObject channel = channels[i];
    EXPECT_EQ(copied(channel.getVector<VectorView<float>>("waveforms")), waveformsOf(i));
    EXPECT_EQ(copied(channel.getVector<VectorView<VectorView<std::int16_t>>>("windows")),
              windowsOf(i));
    EXPECT_EQ(copied(channel.getVector<VectorView<std::string_view>>("labels")), labelsOf(i));
    const auto charges = channel.getVector<VectorView<std::int32_t>>("pulses.charge");
    EXPECT_EQ(charges[0].size(), i % 4);
    EXPECT_TRUE(std::ranges::all_of(charges[0], [&](int charge) { return charge == int(i); }));
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, NestedFileTest,
                         testing::Values(Layout::split, Layout::member, Layout::row),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST(NestedListTest, isMadeWithoutItsClass) {
  kaon::GenericCollection channels(Channel::datatype());
  kaon::MutableGenericObject channel = channels.create();
  channel.add("waveforms", Floats{1, 2});
  channel.add("waveforms", std::span<const float>());
  channel.add("labels", Texts{"a", "bc"});
  channel.add("windows", std::vector<std::vector<std::int16_t>>{{1}, {2, 3}});
  channel.add("hits", 7);
  EXPECT_EQ(copied(channel.getVector<VectorView<float>>("waveforms")),
            (std::vector<Floats>{{1, 2}, {}}));
  EXPECT_EQ(copied(channel.getVector<VectorView<std::string_view>>("labels")),
            (std::vector<Texts>{{"a", "bc"}}));
  EXPECT_EQ(copied(channel.getVector<VectorView<VectorView<std::int16_t>>>("windows")),
            (Windows{{{1}, {2, 3}}}));

  expectError(ErrorKind::type, "the elements of 'hits' of a nested::Channel are no lists, not 1",
              [&] { channel.add("hits", std::vector<int>{1}); });
  expectError(ErrorKind::type, "of 'waveforms' of a nested::Channel are 1 lists deep, not single",
              [&] { channel.add("waveforms", 1.F); });
  expectError(ErrorKind::type, "holds float32, not float64",
              [&] { channel.add("waveforms", std::vector<double>{1}); });
  expectError(ErrorKind::type, "'pulses' of a nested::Channel is of lists",
              [&] { (void)channel.addElement("pulses"); });
  expectError(ErrorKind::type, "'labels' of a nested::Channel are 1 lists deep",
              [&] { channel.add("labels", "text"); });
}

TEST(NestedListTest, isATableForEachLevel) {
  std::vector<std::string> lines;
  for (const TableDefinition& table : tablesOf(Channel::datatype(), "C", 0, Layout::split))
    if (table.name.starts_with("C.w") || table.name.starts_with("C.l"))
      lines.push_back(table.name + "|" + table.type + "|" + std::to_string(table.members.size()) +
                      "|" + std::to_string(table.rowSize));
  EXPECT_EQ(lines, (Texts{"C.waveforms||0|0", "C.waveforms.|float|1|4", "C.labels||0|0",
                          "C.labels.|string|0|0", "C.labels..text|uint8|1|1", "C.windows||0|0",
                          "C.windows.||0|0", "C.windows..|std::int16_t|1|2"}));
}

TEST(NestedListTest, hasThePrecisionOfItsModel) {
  Frame frame;
  ChannelCollection channels;
  channels.create().addToPulses({{1.2345678F, 1}});
  frame.put(std::move(channels), "Channels");
  const Frame read = Frame::fromBytes(frame.toBytes().bytes());
  const float time = read.get<ChannelCollection>("Channels")[0].getPulses(0)[0].time;
  EXPECT_NE(time, 1.2345678F);
  EXPECT_NEAR(time, 1.2345678F, 1e-3F);
}

/// A file of an event with some channels and a changed table, and the event read from it.
class ChangedFile {
public:
  template <class Edit>
  explicit ChangedFile(Edit edit) : m_file(written().bytes()) {
    m_file.editIndex([&](Forgery::Index& index) {
      for (TableDefinition& table : index.categories[0].tables)
        edit(table);
    });
    m_frame = kaon::Category(kaon::test::openBytes(m_file.bytes()), "events").at(0);
  }
  /// Gives the lists of one member in the file the name of another member.
  ChangedFile(std::string_view name, std::string_view isCalled)
      : ChangedFile([&](TableDefinition& table) {
          const std::string full = "Channels." + std::string(name);
          const std::string other = "Channels." + std::string(isCalled);
          if (table.name.starts_with(full))
            table.name = other + table.name.substr(full.size());
          else if (table.name.starts_with(other))
            table.name = "Channels.x" + table.name.substr(other.size());
        }) {}

  [[nodiscard]] const ChannelCollection& channels() const {
    return m_frame.get<ChannelCollection>("Channels");
  }

private:
  static kaon::Buffer written() {
    Frame frame;
    frame.put(makeChannels(4), "Channels");
    return kaon::test::fileOf(std::move(frame));
  }

  Forgery m_file; // declared before the event, which refers to it
  Frame m_frame;
};

TEST(NestedListTest, ofAnotherDepthInTheFileIsAnError) {
  const auto expectWrong = [](const ChangedFile& file, std::string_view text, auto read) {
    expectError(ErrorKind::type, text, [&] { (void)read(file.channels()[1]).size(); });
  };
  const auto waveforms = [](const auto& channel) { return channel.getWaveforms(); };
  expectWrong(ChangedFile("hits", "waveforms"),
              "'Channels.waveforms' cannot be read: it was a vector of std::int32_t, is a vector "
              "of vectors of float",
              waveforms);
  expectWrong(ChangedFile("waveforms", "hits"),
              "'Channels.hits' cannot be read: it was a vector of vectors of float, is a vector of "
              "std::int32_t",
              [](const auto& channel) { return channel.getHits(); });
  expectWrong(ChangedFile("windows", "waveforms"),
              "'Channels.waveforms' cannot be read: it was a vector of vectors of vectors of "
              "std::int16_t, is a vector of vectors of float",
              waveforms);
  expectWrong(ChangedFile("labels", "windows"),
              "'Channels.windows' cannot be read: it was a vector of vectors of strings, is a "
              "vector of vectors of vectors of",
              [](const auto& channel) { return channel.getWindows(); });
  expectWrong(ChangedFile("waveforms", "labels"),
              "'Channels.labels' cannot be read: it was a vector of vectors of float, is a vector "
              "of vectors of strings",
              [](const auto& channel) { return channel.getLabels(); });
}

TEST(NestedListTest, ofAnotherTypeInTheFileIsConverted) {
  const ChangedFile file("waveforms", "isKept"); // numbers that bool cannot hold
  const auto& channels = file.channels();
  EXPECT_EQ(channels[1].getIsKept().size(), 1U);
  expectError(ErrorKind::type, "which does not fit into bool",
              [&] { (void)channels[3].getIsKept(1).at(0); });
}

TEST(NestedListTest, thatTheFileDoesNotHaveIsEmpty) {
  const ChangedFile file([](TableDefinition& table) {
    if (table.name.starts_with("Channels.w"))
      table.name.replace(9, 1, "_");
  });
  const auto& channels = file.channels();
  EXPECT_TRUE(channels[3].getWaveforms().empty());
  EXPECT_TRUE(channels[3].getWindows().empty());
  EXPECT_EQ(copied(channels[3].getLabels()), labelsOf(3));
}

} // namespace
