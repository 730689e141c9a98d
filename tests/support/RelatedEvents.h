#pragma once

#include "linkmodel/linkmodel.h"
#include "nestedmodel/nestedmodel.h"
#include "support/Random.h"

#include <kaon/event/Frame.h>
#include <kaon/event/Writer.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Events with relations of every kind, and all their contents as text, optionally without some
// objects. The tests compare the files of a train with them.

namespace kaon::test {

using linked::PixelCollection;
using linked::StripCollection;
using linked::TrackCollection;
using linked::TrackPixelLinkCollection;
using nested::ChannelCollection;

/// Adds numbers of a channel to lists of all depths; their count depends on the number.
inline void fillLists(nested::MutableChannel channel) {
  const std::int32_t number = channel.getNumber();
  for (std::int32_t i = 0; i < number % 4; ++i) {
    const auto x = static_cast<float>(number + i);
    channel.addToHits(number * 10 + i);
    channel.addToWaveforms(std::vector<float>(static_cast<std::size_t>(i), x));
    channel.addToPulses({nested::Pulse{x, i}, nested::Pulse{-x, number}});
    channel.addToLabels({std::to_string(number), std::string(static_cast<std::size_t>(i), 'x')});
  }
}

/// Returns an event with relations of every kind, determined by its number. Objects are numbered:
/// their times and momenta, in any order, decide which are selected.
[[nodiscard]] inline Frame makeRelatedEvent(int number) {
  Random random(static_cast<std::uint64_t>(number));
  const auto any = [&](auto& collection) { return collection[random.below(collection.size())]; };
  PixelCollection pixels;
  StripCollection strips;
  TrackCollection tracks;
  ChannelCollection channels;
  TrackPixelLinkCollection links;
  for (std::size_t i = random.below(6); i > 0; --i)
    pixels.create().setTime(static_cast<float>(random.below(1000)));
  for (std::size_t i = random.below(4); i > 0; --i)
    strips.create().setTime(static_cast<float>(random.below(1000)));
  for (auto pixel : pixels)
    if (!strips.empty() && random.chance(0.7))
      pixel.setNeighbour(any(strips));
  for (std::size_t i = random.below(5); i > 0; --i) {
    auto track = tracks.create(static_cast<float>(random.below(1000)));
    track.setParent(any(tracks));
    if (!pixels.empty() && random.chance(0.8))
      track.setFirst(any(pixels));
    for (std::size_t hit = random.below(4); hit > 0 && !pixels.empty() && !strips.empty(); --hit)
      random.chance(0.5) ? track.addToHits(any(pixels)) : track.addToHits(any(strips));
    if (!pixels.empty())
      links.create(track, any(pixels)).setWeight(0.5F);
  }
  for (std::size_t i = random.below(5); i > 0; --i) {
    auto channel = channels.create();
    channel.setNumber(static_cast<std::int32_t>(random.below(1000)));
    channel.setName("channel " + std::to_string(channel.getNumber()));
    fillLists(channel);
    channel.addToNeighbours(any(channels));
    channel.addToNeighbours(any(channels));
  }
  auto late = pixels.filter([](const linked::Pixel& pixel) { return pixel.getTime() > 300; });
  Frame frame;
  frame.put(std::move(pixels), "Pixels");
  frame.put(std::move(strips), "Strips");
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(channels), "Channels");
  frame.put(std::move(links), "Links");
  frame.put(std::move(late), "Late");
  return frame;
}

/// Writes a file of the events with these numbers and collections, whose tables have this order.
inline void writeRelatedEvents(const std::string& path, int first, int last,
                               const std::vector<std::string>& collections) {
  Writer out(path);
  for (int number = first; number < last; ++number) {
    Frame event = makeRelatedEvent(number);
    const auto putLast = [&event]<class T>(const std::string& name, std::type_identity<T>) {
      event.put(event.take<T>(name), name);
    };
    for (const std::string& name : collections)
      if (name == "Pixels" || name == "Late")
        putLast(name, std::type_identity<PixelCollection>());
      else if (name == "Strips")
        putLast(name, std::type_identity<StripCollection>());
      else if (name == "Tracks")
        putLast(name, std::type_identity<TrackCollection>());
      else if (name == "Channels")
        putLast(name, std::type_identity<ChannelCollection>());
      else
        putLast(name, std::type_identity<TrackPixelLinkCollection>());
    out.write(event, "events", collections);
  }
  out.finish();
}

/// The least values of selected objects.
struct Least {
  float pixels = 0, tracks = 0;
  std::int32_t channels = 0;
};

/// The contents of an event as text, without objects that are not selected: relations to these are
/// unset.
class EventText {
public:
  EventText(const Frame& event, const Least& least) : m_event(event), m_least(least) {}
  [[nodiscard]] std::string all() {
    addHits();
    addTracks();
    addChannels();
    return m_text.str();
  }

private:
  template <class T>
  [[nodiscard]] static std::string named(const char* kind, bool isTaken, T number) {
    return isTaken ? kind + std::to_string(static_cast<int>(number)) : "none";
  }
  [[nodiscard]] bool isTaken(const linked::Pixel& pixel) const {
    return pixel.isAvailable() && pixel.getTime() >= m_least.pixels;
  }
  [[nodiscard]] bool isTaken(const linked::Track& track) const {
    return track.isAvailable() && track.getMomentum() >= m_least.tracks;
  }
  [[nodiscard]] bool isTaken(const nested::Channel& channel) const {
    return channel.isAvailable() && channel.getNumber() >= m_least.channels;
  }
  [[nodiscard]] std::string nameOf(const linked::Hit& hit) const {
    if (!hit.isAvailable())
      return "none";
    return hit.isA<linked::Strip>()
               ? named("strip ", true, hit.getTime())
               : named("pixel ", isTaken(hit.as<linked::Pixel>()), hit.getTime());
  }
  [[nodiscard]] std::string nameOf(const linked::Track& track) const {
    return named("track ", isTaken(track), isTaken(track) ? track.getMomentum() : 0);
  }
  [[nodiscard]] std::string nameOf(const nested::Channel& channel) const {
    return named("channel ", isTaken(channel), isTaken(channel) ? channel.getNumber() : 0);
  }

  void addHits() {
    for (const auto& pixel : m_event.get<PixelCollection>("Pixels"))
      if (isTaken(pixel))
        m_text << nameOf(pixel) << " beside " << nameOf(pixel.getNeighbour()) << '\n';
    for (const auto& pixel : m_event.get<PixelCollection>("Late"))
      if (!pixel.isAvailable() || isTaken(pixel)) // a reference to a missing object is a mistake
        m_text << "late " << nameOf(pixel) << '\n';
    for (const auto& strip : m_event.get<StripCollection>("Strips"))
      m_text << nameOf(strip) << '\n';
  }
  void addTracks() {
    for (const auto& track : m_event.get<TrackCollection>("Tracks")) {
      if (!isTaken(track))
        continue;
      m_text << nameOf(track) << " of " << nameOf(track.getParent()) << " from "
             << nameOf(track.getFirst()) << " through";
      for (const auto& hit : track.getHits())
        m_text << ' ' << nameOf(hit);
      m_text << '\n';
    }
    for (const auto& link : m_event.get<TrackPixelLinkCollection>("Links"))
      m_text << nameOf(link.getFrom()) << " to " << nameOf(link.getTo()) << " by "
             << link.getWeight() << '\n';
  }
  void addChannels() {
    for (const auto& channel : m_event.get<ChannelCollection>("Channels")) {
      if (!isTaken(channel))
        continue;
      m_text << nameOf(channel) << " called " << channel.getName() << ':';
      for (const std::int32_t hit : channel.getHits())
        m_text << ' ' << hit;
      for (const auto& waveform : channel.getWaveforms())
        for (const float sample : waveform)
          m_text << " w" << sample;
      for (const auto& pulses : channel.getPulses())
        for (const nested::Pulse& pulse : pulses)
          m_text << " p" << pulse.time << '/' << pulse.charge;
      for (const auto& labels : channel.getLabels())
        for (const std::string_view label : labels)
          m_text << " l" << label;
      for (const auto& neighbour : channel.getNeighbours())
        m_text << ' ' << nameOf(neighbour);
      m_text << '\n';
    }
  }

  const Frame& m_event;
  Least m_least;
  std::ostringstream m_text;
};

[[nodiscard]] inline std::string textOf(const Frame& event, const Least& least = {}) {
  return EventText(event, least).all();
}

} // namespace kaon::test
