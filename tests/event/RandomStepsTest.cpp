#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Programs of random steps over collections that refer to each other. Relations lead to the same
// objects after any move, copy, put, take, write and read.

namespace {

using kaon::Frame;
using test::MutableParticle;
using test::Particle;
using test::ParticleCollection;

/// Collections of particles and their expected contents. Each particle has a unique number as its
/// PDG code.
class RandomProgram {
public:
  RandomProgram(std::uint64_t seed, std::string path) : m_random(seed), m_path(std::move(path)) {
    m_collections.emplace_back();
  }
  void step() {
    static constexpr std::array steps{
        &RandomProgram::create,         &RandomProgram::create,
        &RandomProgram::create,         &RandomProgram::relate,
        &RandomProgram::relate,         &RandomProgram::pushLoose,
        &RandomProgram::erase,          &RandomProgram::eraseOdd,
        &RandomProgram::sort,           &RandomProgram::truncate,
        &RandomProgram::absorb,         &RandomProgram::copy,
        &RandomProgram::destroy,        &RandomProgram::passThroughFrame,
        &RandomProgram::passThroughFile};
    (this->*steps[m_random.below(steps.size())])();
  }
  void check() {
    for (const auto& [particles, numbers] : m_collections) {
      ASSERT_EQ(particles.size(), numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(particles[i].getPDG(), numbers[i]);
        ASSERT_EQ(particles[i].getEnergy(), 2. * numbers[i]);
        ASSERT_EQ(daughtersOf(particles[i]), existing(m_daughters[numbers[i]]));
      }
    }
  }

private:
  struct Particles {
    ParticleCollection objects;
    std::vector<int> numbers;
  };
  [[nodiscard]] Particles& any() {
    return *std::next(m_collections.begin(),
                      static_cast<std::ptrdiff_t>(m_random.below(m_collections.size())));
  }
  [[nodiscard]] std::vector<int> existing(const std::vector<int>& numbers) const {
    std::vector<int> found;
    for (const int number : numbers)
      for (const Particles& all : m_collections)
        found.insert(found.end(), std::ranges::count(all.numbers, number), number);
    return found;
  }
  [[nodiscard]] static std::vector<int> daughtersOf(const Particle& particle) {
    std::vector<int> found;
    for (const Particle daughter : particle.getDaughters())
      if (daughter.isAvailable())
        found.push_back(daughter.getPDG());
    return found;
  }
  int setNumber(MutableParticle particle) {
    particle.setPDG(++m_last);
    particle.setEnergy(2. * m_last);
    return m_last;
  }

  void create() {
    Particles& to = any();
    to.numbers.push_back(setNumber(to.objects.create()));
  }
  void relate() {
    Particles& from = any();
    Particles& to = any();
    if (from.numbers.empty() || to.numbers.empty())
      return;
    const std::size_t mother = m_random.below(from.numbers.size());
    const std::size_t daughter = m_random.below(to.numbers.size());
    from.objects[mother].addToDaughters(to.objects[daughter]);
    m_daughters[from.numbers[mother]].push_back(to.numbers[daughter]);
  }
  /// Inserts a loose particle before another one; its handle then denotes the particle there.
  void pushLoose() {
    Particles& to = any();
    const std::size_t place = m_random.below(to.numbers.size() + 1);
    MutableParticle particle;
    to.objects.insert(place, particle);
    to.numbers.insert(to.numbers.begin() + static_cast<std::ptrdiff_t>(place), 0);
    to.numbers[place] = setNumber(to.objects[place]);
  }
  void erase() {
    Particles& from = any();
    if (from.numbers.empty())
      return;
    const std::size_t place = m_random.below(from.numbers.size());
    from.objects.erase(place);
    from.numbers.erase(from.numbers.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void eraseOdd() {
    Particles& from = any();
    from.objects.eraseIf([](const Particle& particle) { return particle.getPDG() % 2 == 1; });
    std::erase_if(from.numbers, [](int number) { return number % 2 == 1; });
  }
  void sort() {
    Particles& particles = any();
    particles.objects.sort(std::ranges::greater{}, &Particle::getPDG);
    std::ranges::sort(particles.numbers, std::ranges::greater{});
  }
  void truncate() {
    Particles& particles = any();
    const std::size_t size = m_random.below(particles.numbers.size() + 1);
    particles.objects.resize(size);
    particles.numbers.resize(size);
  }
  void absorb() {
    Particles& to = any();
    Particles& from = any();
    if (&from == &to)
      return;
    to.objects.append(std::move(from.objects));
    to.numbers.insert(to.numbers.end(), from.numbers.begin(), from.numbers.end());
    from.numbers.clear();
  }
  /// Copies a collection. Relations among its particles lead to their copies.
  void copy() {
    const Particles& from = any();
    if (m_collections.size() > 4 || from.numbers.size() > 20)
      return;
    Particles copies{from.objects.toCollection(), {}};
    std::map<int, int> numberOfCopy;
    for (std::size_t i = 0; i < from.numbers.size(); ++i) {
      copies.numbers.push_back(setNumber(copies.objects[i]));
      numberOfCopy[from.numbers[i]] = copies.numbers.back();
    }
    for (const auto& [number, copied] : numberOfCopy)
      for (const int daughter : existing(m_daughters[number]))
        m_daughters[copied].push_back(numberOfCopy.contains(daughter) ? numberOfCopy[daughter]
                                                                      : daughter);
    m_collections.push_back(std::move(copies));
  }
  void destroy() {
    if (m_collections.size() > 1)
      m_collections.pop_front();
  }
  /// Whether all relations lead to existing particles: frames with others are not written.
  [[nodiscard]] bool isComplete() {
    return std::ranges::all_of(m_collections, [this](const Particles& particles) {
      return std::ranges::all_of(particles.numbers, [this](int number) {
        return existing(m_daughters[number]).size() == m_daughters[number].size();
      });
    });
  }
  Frame putAll() {
    Frame frame;
    for (std::size_t i = 0; i < m_collections.size(); ++i)
      frame.put(
          std::move(std::next(m_collections.begin(), static_cast<std::ptrdiff_t>(i))->objects),
          std::to_string(i));
    return frame;
  }
  /// Takes the collections in random order.
  void takeAll(Frame frame) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_collections.size(); ++i)
      order.insert(m_random.below(2) == 0 ? order.begin() : order.end(), i);
    for (const std::size_t i : order)
      std::next(m_collections.begin(), static_cast<std::ptrdiff_t>(i))->objects =
          frame.take<ParticleCollection>(std::to_string(i));
  }
  void passThroughFrame() {
    Frame frame = putAll();
    takeAll(m_random.below(2) == 0 ? frame.clone() : std::move(frame));
  }
  void passThroughFile() {
    if (!isComplete())
      return passThroughFrame();
    constexpr std::array layouts{kaon::Layout::split, kaon::Layout::member, kaon::Layout::row};
    kaon::WriterOptions options;
    options.layout = layouts[m_random.below(layouts.size())];
    kaon::Writer writer(m_path, options);
    const std::size_t entry = m_random.below(3);
    for (std::size_t i = 0; i < entry; ++i)
      writer.write(Frame(), "events");
    writer.write(putAll(), "events");
    writer.finish();
    Frame frame = kaon::Reader(m_path)["events"].at(entry);
    takeAll(m_random.below(2) == 0 ? frame.clone() : std::move(frame));
  }

  kaon::test::Random m_random;
  std::string m_path;
  int m_last = 0; ///< the last number
  std::list<Particles> m_collections;
  std::map<int, std::vector<int>> m_daughters;
};

TEST(RandomSteps, leaveRelationsAsTheyAre) {
  const kaon::test::TemporaryDirectory directory;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomProgram program(seed, directory / "events.kaon");
    for (int step = 0; step < 100; ++step) {
      program.step();
      program.check();
      ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", step " << step;
    }
  }
}

} // namespace
