#include "graphmodel/graphmodel.h"
#include "support/Files.h"
#include "support/Records.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

// Reading from many threads. ThreadSanitizer finds the races.

namespace {

using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectEvent;
using kaon::test::expectEvents;
using kaon::test::makeEvent;
using kaon::test::TemporaryDirectory;
using kaon::test::writeEvents;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

constexpr int threads = 4;

/// Runs `work(thread)` in several threads that start at once.
void inParallel(const std::function<void(int)>& work) {
  std::barrier start(threads);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      start.arrive_and_wait();
      work(i);
    });
  for (std::thread& thread : running)
    thread.join();
}

class Concurrent : public testing::TestWithParam<Layout> {
protected:
  void SetUp() override {
    writeEvents(m_path, events, {.layout = GetParam(), .clusterBytes = 20'000, .pageBytes = 500});
  }
  static constexpr int events = 60;
  TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Threads, Concurrent,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(Concurrent, readersOfOneFrameSeeTheSame) {
  const auto category = Reader(m_path)["events"];
  for (int event = 0; event < events; ++event) {
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    inParallel([&](int) { expectEvent(frame, event); });
  }
}

TEST_P(Concurrent, readersOfOneIteratedFrameSeeTheSame) {
  int event = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    inParallel([&](int) { expectEvent(frame, event); });
    ++event;
  }
}

// podio's frames get wrong relations here: each thread unpacks a collection that the other's
// objects are related to.
TEST_P(Concurrent, readersOfDifferentCollectionsFindTheirRelations) {
  const auto category = Reader(m_path)["events"];
  for (int event = 3; event < events; event += 4) { // with three tracks
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    std::atomic<std::size_t> found = 0;
    inParallel([&](int thread) {
      if (thread % 2 == 0) {
        for (const auto track : frame.get<TrackCollection>("Tracks")) {
          for (const auto hit : track.getHits())
            found += hit.getParticle().isAvailable() ? 1U : 0U;
          for (const auto segment : track.getSegments())
            found += segment.residuals_size();
        }
      } else {
        for (const auto particle : frame.get<ParticleCollection>("Particles"))
          found += particle.getDaughters(0).getParents().size();
      }
    });
    std::size_t alone = 0;
    for (const auto track : frame.get<TrackCollection>("Tracks")) {
      for (const auto hit : track.getHits())
        alone += hit.getParticle().isAvailable() ? 1U : 0U;
      for (const auto segment : track.getSegments())
        alone += segment.residuals_size();
    }
    alone += frame.get<ParticleCollection>("Particles").size();
    EXPECT_EQ(found, alone * threads / 2);
  }
}

/// Returns five vertices; as many particles begin at each as its number.
Frame makeGraph() {
  graph::VertexCollection vertices;
  graph::ParticleCollection particles;
  for (int i = 0; i < 5; ++i) {
    auto vertex = vertices.create(i);
    for (int k = 0; k < i; ++k) {
      auto particle = particles.create(10 * i + k);
      particle.setOrigin(vertex);
      vertex.addToOutgoing(particle);
    }
  }
  Frame frame;
  frame.put(std::move(vertices), "Vertices");
  frame.put(std::move(particles), "Particles");
  return frame;
}

void expectGraphFromVertices(const graph::VertexCollection& vertices) {
  int i = 0;
  for (const auto vertex : vertices) {
    EXPECT_EQ(vertex.outgoing_size(), static_cast<std::size_t>(i));
    for (const auto particle : vertex.getOutgoing()) {
      EXPECT_EQ(particle.getNumber() / 10, i);
      EXPECT_EQ(particle.getOrigin(), vertex);
    }
    ++i;
  }
  EXPECT_EQ(i, 5);
}

void expectGraphFromParticles(const graph::ParticleCollection& particles) {
  EXPECT_EQ(particles.size(), 10U);
  for (const auto particle : particles) {
    const int number = particle.getNumber();
    EXPECT_EQ(particle.getOrigin().getNumber(), number / 10);
    EXPECT_EQ(particle.getOrigin().getOutgoing(static_cast<std::size_t>(number % 10)), particle);
  }
}

// podio's frames get wrong relations here, or none: several threads request collections that refer
// to each other at once, by class or not.
TEST_P(Concurrent, readersOfCollectionsThatReferToEachOther) {
  const std::string path = m_directory / "graphs.kaon";
  {
    Writer writer(path, {.layout = GetParam()});
    for (int event = 0; event < events; ++event)
      writer.write(makeGraph(), "events");
    writer.finish();
  }
  const auto category = Reader(path)["events"];
  for (int event = 0; event < events; ++event) {
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    inParallel([&](int thread) {
      const std::string name = thread % 2 == 0 ? "Vertices" : "Particles";
      const kaon::CollectionBase* const found = frame.get(name);
      ASSERT_NE(found, nullptr);
      if (thread % 2 == 0)
        expectGraphFromVertices(thread == 0 ? frame.get<graph::VertexCollection>(name)
                                            : dynamic_cast<const graph::VertexCollection&>(*found));
      else
        expectGraphFromParticles(dynamic_cast<const graph::ParticleCollection&>(*found));
    });
  }
}

TEST_P(Concurrent, readersOfOneColumnSeeItWhole) {
  const auto category = Reader(m_path)["events"];
  for (int event = 0; event < events; ++event) {
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    const auto& hits = frame.get<HitCollection>("Hits");
    inParallel([&](int) {
      for (std::size_t i = 0; i < hits.size(); ++i)
        EXPECT_EQ(hits[i].getCell(), static_cast<std::uint64_t>(event) * 1000 + i);
    });
  }
}

// Each loop first checks whether the objects are in rows, which decodes the page.
TEST_P(Concurrent, loopsOverOneCollectionSeeTheSame) {
  const auto category = Reader(m_path)["events"];
  for (int event = 0; event < events; ++event) {
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    const auto& hits = frame.get<HitCollection>("Hits");
    inParallel([&](int) {
      std::uint64_t cell = static_cast<std::uint64_t>(event) * 1000;
      for (const auto& hit : hits)
        EXPECT_EQ(hit.getCell(), cell++);
    });
  }
}

TEST_P(Concurrent, readersOfParametersSeeTheSame) {
  const auto category = Reader(m_path)["events"];
  for (int event = 0; event < events; ++event) {
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    inParallel([&](int) {
      EXPECT_EQ(frame.getParameter<int>("number"), event);
      EXPECT_EQ(frame.getParameter<std::string>("title"), "event " + std::to_string(event));
      EXPECT_EQ(frame.getParameterKeys<double>(), std::vector<std::string>{"weight"});
      EXPECT_EQ(frame.getAvailableCollections().size(), kaon::test::hasBares(event) ? 4U : 3U);
    });
  }
}

TEST_P(Concurrent, readersOfOneFileGetEventsOfTheirOwn) {
  const auto category = Reader(m_path)["events"];
  inParallel([&](int thread) {
    for (int i = 0; i < events; ++i) {
      const int event = (i * 7 + thread * 13) % events;
      expectEvent(category.at(static_cast<std::uint64_t>(event)), event);
    }
  });
}

TEST_P(Concurrent, readersOfOneFileIterateOnTheirOwn) {
  const auto category = Reader(m_path)["events"];
  inParallel([&](int) { expectEvents(category, events); });
}

TEST_P(Concurrent, batchesOfOneSourceAreIndependent) {
  const Reader reader(m_path);
  const auto category = reader["events"];
  inParallel([&](int thread) {
    const auto first = static_cast<std::uint64_t>(thread * events / threads);
    const auto last = static_cast<std::uint64_t>((thread + 1) * events / threads);
    for (const kaon::Batch& batch :
         category.batches({"Hits.cell", "Tracks.states.position.x"}, {first, last})) {
      const auto cells = batch.values<std::uint64_t>("Hits.cell");
      const auto offsets = batch.offsets("Hits");
      for (std::size_t i = 0; i < batch.entries(); ++i)
        for (std::size_t row = offsets[i]; row < offsets[i + 1]; ++row)
          EXPECT_EQ(cells[row], (batch.firstEntry() + i) * 1000 + row - offsets[i]);
    }
  });
}

/// A slow file, so that threads meet there. Counts how often each of its parts is read.
class SlowSource final : public kaon::io::ByteSource {
public:
  using Counts = std::map<std::uint64_t, int>; // by the beginning of the part
  SlowSource(const std::string& path, std::shared_ptr<Counts> counts)
      : ByteSource(path), m_file(kaon::io::fileSource(path)), m_counts(std::move(counts)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_file->size(); }

private:
  void request(std::span<const kaon::io::ByteRange> ranges,
               std::span<std::span<const std::byte>> views, kaon::Buffer& scratch) const override {
    {
      const std::scoped_lock lock(m_mutex);
      for (const kaon::io::ByteRange& range : ranges)
        ++(*m_counts)[range.offset];
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::ranges::copy(m_file->views(ranges, scratch), views.begin());
  }
  std::unique_ptr<kaon::io::ByteSource> m_file;
  mutable std::mutex m_mutex;
  std::shared_ptr<Counts> m_counts;
};

// Data that are read at their first use are read once, whoever uses them.
TEST_P(Concurrent, readersOfAFreshFileReadItsClustersOnce) {
  const std::string bytes = kaon::test::readFile(m_path);
  const auto clusters =
      kaon::test::recordsOf(std::as_bytes(std::span(bytes)), kaon::kaonfile::RecordKind::cluster);
  ASSERT_GT(clusters.size(), 2U);
  for (int round = 0; round < 5; ++round) {
    const auto counts = std::make_shared<SlowSource::Counts>();
    const kaon::Category category(kaon::open(std::make_unique<SlowSource>(m_path, counts)),
                                  "events");
    inParallel([&](int thread) {
      if (thread % 2 == 0) {
        for (const kaon::Batch& batch : category.batches({"Hits.cell"}))
          EXPECT_GT(batch.entries(), 0U);
      } else {
        for (int event = 0; event < events; event += 5)
          EXPECT_EQ(category.at(static_cast<std::uint64_t>(event)).getParameter<int>("number"),
                    event);
      }
    });
    for (const kaon::test::Record& cluster : clusters)
      EXPECT_EQ((*counts)[cluster.begin], 1);
  }
}

TEST_P(Concurrent, onesPutWhileOthersGet) {
  const auto category = Reader(m_path)["events"];
  for (const int event : {3, 7, 11, 15}) {
    Frame frame = category.at(static_cast<std::uint64_t>(event));
    inParallel([&](int thread) {
      const std::string mine = "mine" + std::to_string(thread);
      for (int i = 0; i < 20; ++i) {
        HitCollection hits;
        hits.create().setCell(static_cast<std::uint64_t>(i));
        frame.put(std::move(hits), mine + std::to_string(i));
        frame.putParameter(mine, i);
        EXPECT_EQ(frame.get<HitCollection>(mine + std::to_string(i / 2))[0].getCell(),
                  static_cast<std::uint64_t>(i / 2));
        EXPECT_EQ(frame.getParameter<int>(mine), i);
      }
      expectEvent(frame, event);
    });
    EXPECT_EQ(frame.getAvailableCollections().size(),
              threads * 20U + (kaon::test::hasBares(event) ? 4U : 3U));
  }
}

TEST_P(Concurrent, onlyOneOfManyPutsUnderTheSameName) {
  Frame frame;
  std::atomic<int> kept = 0;
  inParallel([&](int) {
    for (int i = 0; i < 50; ++i) {
      try {
        frame.put(HitCollection(), "Hits" + std::to_string(i));
        ++kept;
      } catch (const kaon::Error&) {
      }
    }
  });
  EXPECT_EQ(kept, 50);
  EXPECT_EQ(frame.getAvailableCollections().size(), 50U);
}

TEST_P(Concurrent, framesAreBuiltAndWrittenInEachThread) {
  inParallel([&](int thread) {
    const std::string path = m_directory / ("thread" + std::to_string(thread) + ".kaon");
    {
      Writer writer(path, {.layout = GetParam()});
      for (int event = 0; event < 20; ++event)
        writer.write(makeEvent(event + thread), "events");
      writer.finish();
    }
    int event = thread;
    for (const Frame& frame : Reader(path)["events"])
      expectEvent(frame, event++);
  });
}

} // namespace
