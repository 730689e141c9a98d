// Writes events with data of every kind, or prints all events of a file, with generated classes.

#include "ExchangeProgram.h"

#include <kaon/kaon.h>
#include <testmodel/testmodel.h>

#include <iostream>
#include <string>
#include <vector>

namespace {

void write(const std::string& path, const std::string& layout) {
  kaon::Writer out(path, {.layout = kaon::layoutNamed(layout)});
  for (int i = 0; i < 3; ++i) {
    test::ParticleCollection particles;
    test::HitCollection hits;
    test::TrackCollection tracks;
    test::BareCollection bares;
    test::EverythingCollection everything;
    for (int j = 0; j < i + 1; ++j) {
      auto particle = particles.create(11 + j, 0.5 * i, test::Vector3f{1.F, 2.F, 3.F + float(j)},
                                       std::int16_t(-1), j % 2 == 0);
      if (j > 0) {
        particle.addToParents(particles[0]);
        particles[0].addToDaughters(particle);
      }
    }
    auto hit = hits.create();
    hit.setCell(1ULL << 40U);
    hit.setMomentum({1.F, 2.F, 3.F});
    hit.setParticle(particles[0]);
    hits.create(); // related to no particle
    auto track = tracks.create();
    track.setFit({true, {4.F, 5.F, 6.F}, {0.25, 0.5}, 7});
    track.addToResiduals(0.125F);
    track.addToResiduals(0.75F);
    track.addToStates({false, {}, {1., 2.}, -1});
    track.addToHits(hit);
    track.addToSegments(track);
    bares.create().addToTracks(track);
    everything.create(true, 'k', std::int8_t(-8), std::uint8_t(200), std::int16_t(-1600),
                      std::uint16_t(60000), -32, 4000000000U, -64LL, ~0ULL, 0.1F, 0.2);

    const auto isolation = particles.decorate<float>("isolation", -1.F);
    isolation[0] = 0.25F * float(i); // the others have no value
    kaon::UserDataCollection<std::int16_t> scores;
    for (int j = 0; j < i; ++j)
      scores.push_back(static_cast<std::int16_t>(100 * i + j));

    kaon::Frame frame;
    frame.put(std::move(particles), "Particles");
    frame.put(std::move(scores), "Scores");
    if (i != 1) // one event lacks these collections
      frame.put(std::move(hits), "Hits");
    if (i != 1) {
      frame.put(std::move(tracks), "Tracks");
      frame.put(std::move(bares), "Bares");
    }
    frame.put(std::move(everything), "Everything");
    frame.putParameter("run", i);
    frame.putParameter("weights", std::vector<double>{0.5, 1.5});
    frame.putParameter("title", "event " + std::to_string(i));
    frame.putParameter("flags", std::vector<bool>{true, false});
    if (i == 2)
      frame.putParameter("late", std::vector<std::string>{"", "\u00e4\u00f6"});
    out.write(frame, "events");
  }
  out.finish();
}

template <class T>
void printParameters(const kaon::Frame& frame) {
  for (const std::string& name : frame.getParameterKeys<T>()) {
    std::cout << name << ':';
    const auto values = frame.getParameter<std::vector<T>>(name);
    for (const T& value : *values)
      std::cout << ' ' << value;
    std::cout << '\n';
  }
}

template <class T>
void printCollection(const kaon::Frame& frame, const std::string& name) {
  if (const T* const collection = frame.getIfPresent<T>(name))
    std::cout << name << '\n' << *collection;
}

// Prints decorations and user data, which the tables do not contain.
void printAdditions(const kaon::Frame& frame) {
  const auto& particles = frame.get<test::ParticleCollection>("Particles");
  const auto isolation = particles.decoration<float>("isolation");
  for (const auto particle : particles)
    std::cout << "isolation " << isolation[particle] << '\n';
  for (const auto score : frame.get<kaon::UserDataCollection<std::int16_t>>("Scores"))
    std::cout << "score " << score << '\n';
}

// Prints lists; the tables contain only their sizes.
void printLists(const kaon::Frame& frame) {
  for (const auto particle : frame.get<test::ParticleCollection>("Particles"))
    for (const auto daughter : particle.getDaughters())
      std::cout << "daughter " << daughter.getPDG() << " of " << daughter.getParents(0).getPDG()
                << '\n';
  const auto* const tracks = frame.getIfPresent<test::TrackCollection>("Tracks");
  if (!tracks)
    return;
  for (const auto track : *tracks) {
    for (const float residual : track.getResiduals())
      std::cout << "residual " << residual << '\n';
    for (const test::Fit& state : track.getStates())
      std::cout << "state " << state.errors[1] << ' ' << int(state.quality) << '\n';
    for (const auto hit : track.getHits())
      std::cout << "hit " << hit.getCell() << " of " << hit.getParticle().getPDG() << '\n';
  }
}

void print(const std::string& path) {
  for (const kaon::Frame& frame : kaon::Reader(path)["events"]) {
    printCollection<test::ParticleCollection>(frame, "Particles");
    printCollection<test::HitCollection>(frame, "Hits");
    printCollection<test::TrackCollection>(frame, "Tracks");
    printCollection<test::BareCollection>(frame, "Bares");
    printCollection<test::EverythingCollection>(frame, "Everything");
    printAdditions(frame);
    printLists(frame);
    printParameters<std::int32_t>(frame);
    printParameters<double>(frame);
    printParameters<bool>(frame);
    printParameters<std::string>(frame);
  }
}

} // namespace

int main(int count, char** arguments) { return exchange(count, arguments, write, print); }
