// W8: writes a tree like CMS's NanoAOD with ROOT; bench/nano.py reads it.

#include "common/Harness.h"
#include "common/Random.h"
#include "root/RootFiles.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace bench {
namespace {

/// A collection: the branch of its counter and the branches of its members.
struct Collection {
  const char* name;
  std::uint32_t most; // objects an event
  std::size_t floats;
  std::size_t integers;
};
constexpr std::array<Collection, 12> collections{{{"Muon", 3, 24, 12},
                                                  {"Electron", 3, 28, 14},
                                                  {"Photon", 4, 18, 10},
                                                  {"Jet", 12, 24, 10},
                                                  {"FatJet", 2, 26, 6},
                                                  {"Tau", 3, 16, 10},
                                                  {"GenPart", 40, 4, 5},
                                                  {"GenJet", 10, 5, 2},
                                                  {"SV", 4, 12, 2},
                                                  {"TrigObj", 10, 5, 4},
                                                  {"IsoTrack", 4, 9, 5},
                                                  {"SoftActivityJet", 6, 3, 0}}};
constexpr std::size_t sums = 60;      // floats of an event, such as MET_pt
constexpr std::size_t triggers = 700; // bools of an event
constexpr std::size_t mostObjects = 64;

class RootNano {
public:
  explicit RootNano(const Options& options)
      : m_options(options), m_report("nano", options), m_path(options.directory + "/nano.root") {}

  void run() {
    for (const RootCodec& codec : {RootCodec{"zstd", 505}, RootCodec{"lzma", 207}}) {
      if (!m_report.wants(codec.name))
        continue;
      m_report.time({"write", "ROOT TTree", codec.name, Role::peer}, {"s"}, [&] { write(codec); });
      leaveFile(m_options, m_path, "tree", codec);
    }
    m_report.save();
  }

private:
  struct Floats {
    const std::int32_t* count; // null for one value
    std::array<float, mostObjects> values;
  };
  struct Integers {
    const std::int32_t* count;
    std::array<std::int32_t, mostObjects> values;
  };

  /// Generates a new event each time before the tree is filled.
  class Event {
  public:
    explicit Event(TTree& tree) {
      for (const Collection& collection : collections)
        addCollection(tree, collection);
      tree.Branch("event", &m_number, "event/l");
      for (std::size_t i = 0; i < sums; ++i)
        addFloats(tree, i == 0 ? "MET_pt" : "Sum_x" + std::to_string(i), nullptr, "");
      for (std::size_t i = 0; i < triggers; ++i)
        tree.Branch(("HLT_path" + std::to_string(i)).c_str(), &m_triggers[i],
                    ("HLT_path" + std::to_string(i) + "/O").c_str());
    }

    void next() {
      ++m_number;
      for (std::size_t i = 0; i < collections.size(); ++i)
        m_counts[i] = static_cast<std::int32_t>(m_random.below(collections[i].most + 1));
      for (Floats& each : m_floats)
        for (std::int32_t i = 0; i < (each.count ? *each.count : 1); ++i)
          each.values[static_cast<std::size_t>(i)] = shortFloat();
      for (Integers& each : m_integers)
        for (std::int32_t i = 0; i < *each.count; ++i)
          each.values[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(m_random.below(6));
      for (std::size_t i = 0; i < triggers; ++i)
        m_triggers[i] = m_random.below(200) < i % 8;
    }

  private:
    void addCollection(TTree& tree, const Collection& collection) {
      const std::string name = collection.name;
      const std::size_t number = m_counts.size();
      const std::int32_t* const count = &m_counts.emplace_back(0);
      tree.Branch(("n" + name).c_str(), &m_counts[number], ("n" + name + "/I").c_str());
      const std::string length = "[n" + name + "]";
      for (std::size_t i = 0; i < collection.floats; ++i)
        addFloats(tree,
                  name + (i == 0   ? "_pt"
                          : i == 1 ? "_eta"
                                   : "_x" + std::to_string(i)),
                  count, length);
      for (std::size_t i = 0; i < collection.integers; ++i) {
        Integers& integers = m_integers.emplace_back(Integers{count, {}});
        const std::string branch = name + (i == 0 ? "_charge" : "_id" + std::to_string(i));
        tree.Branch(branch.c_str(), integers.values.data(), (branch + length + "/I").c_str());
      }
    }
    void addFloats(TTree& tree, const std::string& branch, const std::int32_t* count,
                   const std::string& length) {
      Floats& floats = m_floats.emplace_back(Floats{count, {}});
      tree.Branch(branch.c_str(), floats.values.data(), (branch + length + "/F").c_str());
    }
    /// Returns a float with ten bits of mantissa, as NanoAOD stores most of them.
    float shortFloat() {
      const float value = static_cast<float>(m_random.normal());
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffff'e000U);
    }

    Random m_random;
    std::uint64_t m_number = 0;
    std::deque<std::int32_t> m_counts; // a deque, because branches point to its elements
    std::deque<Floats> m_floats;
    std::deque<Integers> m_integers;
    std::array<bool, triggers> m_triggers{};
  };

  void write(const RootCodec& codec) const {
    const auto file = openFile(m_path, "RECREATE", codec.settings);
    TTree* const tree = new TTree("Events", ""); // owned by the file
    Event event(*tree);
    for (std::size_t i = 0; i < m_options.count; ++i) {
      event.next();
      tree->Fill();
    }
    file->Write();
  }

  Options m_options;
  Report m_report;
  std::string m_path;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 100'000,
                            [](const bench::Options& options) { bench::RootNano(options).run(); });
}
