#include "support/Errors.h"
#include "support/Files.h"

#include <kaon/kaon.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A program without generated classes reads and writes the same events as one with generated
// classes: tests/python/exchange.cpp, with the model tests/models/testmodel.yaml.

namespace {

using kaon::CollectionBase;
using kaon::ErrorKind;
using kaon::Frame;
using kaon::GenericCollection;
using kaon::GenericObject;
using kaon::MutableGenericObject;
using kaon::test::expectError;
using kaon::test::TemporaryDirectory;

// `hits[0] = hit` would have no effect.
static_assert(!std::is_assignable_v<GenericObject, GenericObject>);
static_assert(!std::is_assignable_v<MutableGenericObject, MutableGenericObject>);
static_assert(std::is_nothrow_copy_assignable_v<GenericObject>);

/// Returns the output of the program with generated classes.
std::string exchange(const std::string& arguments) {
  const std::string command = KAON_EXCHANGE " " + arguments;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(::popen(command.c_str(), "r"),
                                                            ::pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), out.get()))
    text.append(part.data(), size);
  if (text.empty() && arguments.starts_with("print"))
    throw std::runtime_error("nothing came of " + command);
  return text;
}

class Generic : public testing::TestWithParam<std::string> {
protected:
  Generic() { exchange("write '" + path + "' " + GetParam()); }
  [[nodiscard]] Frame event(std::uint64_t entry) const {
    return kaon::Reader(path)["events"].at(entry);
  }

  TemporaryDirectory directory;
  std::string path = directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Layouts, Generic, testing::Values("split", "member", "row"),
                         [](const auto& test) { return test.param; });

TEST_P(Generic, membersAreReadByTheirNames) {
  const Frame frame = event(2);
  const GenericCollection particles(*frame.get("Particles"));
  ASSERT_EQ(particles.size(), 3U);
  EXPECT_EQ(particles.datatype().name, "test::Particle");
  EXPECT_EQ(particles.getSchemaVersion(), 3U);
  EXPECT_EQ(particles[1].get<std::int32_t>("PDG"), 12);
  EXPECT_EQ(particles[1].get<double>("energy"), 1.);
  EXPECT_EQ(particles[1].get<float>("vertex.z"), 4.F);
  EXPECT_FALSE(particles[1].get<bool>("stable"));
  const GenericCollection hits(*frame.get("Hits"));
  EXPECT_EQ(hits[0].get<std::uint64_t>("cell"), 1ULL << 40U);
  EXPECT_EQ((hits[0].get<std::array<float, 3>>("momentum")), (std::array{1.F, 2.F, 3.F}));
  const GenericObject track = GenericCollection(*frame.get("Tracks"))[0];
  EXPECT_EQ((track.get<std::array<double, 2>>("fit.errors")), (std::array{0.25, 0.5}));
  const auto residuals = track.getVector<float>("residuals");
  EXPECT_EQ(std::vector(residuals.begin(), residuals.end()), (std::vector{0.125F, 0.75F}));
  EXPECT_EQ(track.countOf("states"), 1U);
  EXPECT_EQ(track.getVector<std::int8_t>("states.quality")[0], -1);
}

TEST_P(Generic, columnsAreReadByTheirNames) {
  const Frame frame = event(2);
  const GenericCollection particles(*frame.get("Particles"));
  const auto codes = particles.column<std::int32_t>("PDG");
  EXPECT_EQ(std::vector(codes.begin(), codes.end()), (std::vector{11, 12, 13}));
}

TEST_P(Generic, relationsAreFollowed) {
  const Frame frame = event(2);
  const GenericCollection particles(*frame.get("Particles"));
  std::vector<std::int32_t> daughters;
  for (const GenericObject daughter : particles[0].related("daughters"))
    daughters.push_back(daughter.get<std::int32_t>("PDG"));
  EXPECT_EQ(daughters, (std::vector{12, 13}));
  EXPECT_EQ(particles[1].related("parents")[0], particles[0]);
  const GenericCollection hits(*frame.get("Hits"));
  EXPECT_EQ(hits[0].relatedOne("particle"), particles[0]);
  EXPECT_FALSE(hits[1].relatedOne("particle").isAvailable());
  EXPECT_EQ(GenericCollection(*frame.get("Bares"))[0].related("tracks")[0].related("hits")[0],
            hits[0]);
}

TEST_P(Generic, eventsComeAndGo) {
  std::vector<std::size_t> particles, hits;
  for (const Frame& frame : kaon::Reader(path)["events"]) {
    particles.push_back(GenericCollection(*frame.get("Particles")).column<double>("energy").size());
    const CollectionBase* const found = frame.get("Hits");
    hits.push_back(found ? found->size() : 0);
  }
  EXPECT_EQ(particles, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(hits, (std::vector<std::size_t>{2, 0, 2}));
}

TEST_P(Generic, framesAreCopied) {
  const std::string copy = directory / "copy.kaon";
  kaon::Writer writer(copy);
  for (const Frame& frame : kaon::Reader(path)["events"]) {
    (void)frame.get("Tracks"); // reading a collection must not matter
    writer.write(frame, "events");
  }
  writer.finish();
  EXPECT_EQ(exchange("print '" + copy + "'"), exchange("print '" + path + "'"));
}

TEST_P(Generic, framesAreCloned) {
  const Frame frame = event(2).clone();
  const GenericCollection particles(*frame.get("Particles"));
  EXPECT_EQ(particles[0].related("daughters")[1], particles[2]);
}

/// Creates the same objects again.
class Remaking {
public:
  Remaking(const kaon::ModelDatatypes& datatypes, const Frame& from)
      : m_datatypes(datatypes), m_from(from) {}

  Frame frame() {
    for (const char* name : {"Particles", "Hits", "Tracks", "Bares", "Everything"})
      if (const CollectionBase* const found = m_from.get(name))
        makeObjects(name, GenericCollection(*found));
    for (auto& [name, made] : m_made)
      relate(GenericCollection(*m_from.get(name)), *made);
    const auto isolation =
        GenericCollection(*m_from.get("Particles")).decoration<float>("isolation");
    m_made.front().second->decorate<float>("isolation", -1.F)[0] = isolation[0];
    Frame to;
    for (auto& [name, made] : m_made)
      to.put(std::move(made), name);
    kaon::UserDataCollection<std::int16_t> scores(
        m_from.get<kaon::UserDataCollection<std::int16_t>>("Scores").span());
    to.put(std::move(scores), "Scores");
    copyParameters<std::int32_t, double, bool, std::string>(to);
    return to;
  }

private:
  void makeObjects(const std::string& name, const GenericCollection& from) {
    auto made = std::make_unique<GenericCollection>(m_datatypes.get(from.datatype().name));
    for (const GenericObject object : from) {
      MutableGenericObject copy = made->create();
      for (const kaon::Leaf& leaf : from.datatype().leaves)
        withType(leaf.type, [&]<class T>(T) {
          if (leaf.extent == 2)
            copy.set(leaf.name, object.get<std::array<T, 2>>(leaf.name));
          else if (leaf.extent == 3)
            copy.set(leaf.name, object.get<std::array<T, 3>>(leaf.name));
          else
            copy.set(leaf.name, object.get<T>(leaf.name));
        });
      for (const kaon::VectorMember& vector : from.datatype().vectors)
        addElements(object, vector, copy);
    }
    m_made.emplace_back(name, std::move(made));
  }

  static void addElements(const GenericObject& from, const kaon::VectorMember& vector,
                          MutableGenericObject& to) {
    for (std::size_t i = 0; i < from.countOf(vector.name); ++i) {
      if (vector.leaves[0].name.empty()) {
        to.add(vector.name, from.getVector<float>(vector.name)[i]);
        continue;
      }
      const auto element = to.addElement(vector.name);
      for (const kaon::Leaf& leaf : vector.leaves) {
        const std::string path = std::string(vector.name) + "." + std::string(leaf.name);
        withType(leaf.type, [&]<class T>(T) {
          if (leaf.extent == 2)
            element.set(leaf.name, from.getVector<std::array<T, 2>>(path)[i]);
          else
            element.set(leaf.name, from.getVector<T>(path)[i]);
        });
      }
    }
  }

  void relate(const GenericCollection& from, GenericCollection& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const GenericObject place = to[i];
      MutableGenericObject object(place.place().data, place.place().index());
      for (const kaon::Relation& relation : from.datatype().relations) {
        if (!relation.many)
          object.relate(relation.name, copyOf(from[i].relatedOne(relation.name)));
        else
          for (const GenericObject target : from[i].related(relation.name))
            object.relate(relation.name, copyOf(target));
      }
    }
  }

  GenericObject copyOf(const GenericObject& object) const {
    for (const auto& [name, made] : m_made)
      if (object.isAvailable() && m_from.getName(object.id().collectionID) == name)
        return (*made)[object.place().index()];
    return GenericObject::makeEmpty();
  }

  template <class Use>
  static void withType(kaon::Scalar type, Use use) {
    if (type == kaon::Scalar::Bool)
      use(bool{});
    else
      kaon::withScalar(type, use);
  }

  template <class... Types>
  void copyParameters(Frame& to) const {
    const auto copy = [&]<class T>(T) {
      for (const std::string& name : m_from.getParameterKeys<T>())
        to.putParameter(name, *m_from.getParameter<std::vector<T>>(name));
    };
    (copy(Types()), ...);
  }

  const kaon::ModelDatatypes& m_datatypes;
  const Frame& m_from;
  std::vector<std::pair<std::string, std::unique_ptr<GenericCollection>>> m_made;
};

TEST_P(Generic, objectsAreMadeAndReadByGeneratedClasses) {
  const std::string remade = directory / "remade.kaon";
  const kaon::Reader reader(path);
  kaon::Writer writer(remade, {.layout = kaon::layoutNamed(GetParam())});
  for (const Frame& event : reader["events"]) {
    Frame frame = Remaking(reader.datatypes(), event).frame();
    writer.write(frame, "events");
  }
  writer.finish();
  EXPECT_EQ(kaon::open(remade)->documents(), std::vector<std::string>{"model:testmodel"});
  EXPECT_EQ(exchange("print '" + remade + "'"), exchange("print '" + path + "'"));
}

TEST_P(Generic, objectsBeginWithTheirDefaults) {
  const kaon::Reader reader(path);
  GenericCollection particles(reader.datatypes().get("test::Particle"));
  EXPECT_EQ(particles.create().get<std::int16_t>("charge"), -3);
}

TEST_P(Generic, reportsMistakes) {
  const kaon::Reader reader(path);
  const Frame frame = reader["events"].at(0);
  const GenericCollection hits(*frame.get("Hits"));
  const GenericObject hit = hits[0];
  expectError(ErrorKind::name, "a test::Hit has no member 'enrgy' (did you mean 'energy'?)",
              [&] { (void)hit.get<float>("enrgy"); });
  expectError(ErrorKind::type, "'energy' of a test::Hit holds float32, not float64",
              [&] { (void)hit.get<double>("energy"); });
  expectError(ErrorKind::type, "'momentum' of a test::Hit holds float32 * 3, not float32",
              [&] { (void)hit.get<float>("momentum"); });
  expectError(ErrorKind::name, "a test::Hit has no relation 'particles'",
              [&] { (void)hit.related("particles"); });
  expectError(ErrorKind::type, "leads to one object", [&] { (void)hit.related("particle"); });
  expectError(ErrorKind::name, "a test::Hit has no vector member 'energy'",
              [&] { (void)hit.getVector<float>("energy"); });
  expectError(ErrorKind::usage, "there is no object",
              [&] { (void)hits[1].relatedOne("particle").get<double>("energy"); });
  expectError(ErrorKind::usage, "a view of a collection cannot add objects",
              [&] { GenericCollection(*frame.get("Hits")).create(); });
  MutableGenericObject inFile(hit.place().data, 0);
  expectError(ErrorKind::usage, "lies in a file cannot be changed",
              [&] { inFile.set("energy", 1.F); });

  GenericCollection made(reader.datatypes().get("test::Hit"));
  MutableGenericObject object = made.create();
  expectError(ErrorKind::type, "the relation 'particle' of a test::Hit leads to a test::Particle",
              [&] { object.relate("particle", hit); });
  expectError(ErrorKind::name, "no model has a datatype 'test::Hits' (did you mean 'test::Hit'?)",
              [&] { (void)reader.datatypes().get("test::Hits"); });
}

TEST_P(Generic, subsetsRefer) {
  const kaon::Reader reader(path);
  const std::string chosen = directory / "chosen.kaon";
  Frame frame = reader["events"].at(2);
  const GenericCollection particles(*frame.get("Particles"));
  GenericCollection subset(particles.datatype());
  subset.setSubsetCollection();
  subset.push_back(particles[2]);
  expectError(ErrorKind::type, "push_back a test::Hit into a subset of test::Particle",
              [&] { subset.push_back(GenericCollection(*frame.get("Hits"))[0]); });
  frame.put(std::move(subset), "Chosen");
  kaon::Writer writer(chosen);
  writer.write(frame, "events");
  writer.finish();
  const Frame read = kaon::Reader(chosen)["events"].at(0);
  EXPECT_TRUE(read.get("Chosen")->isSubsetCollection());
  EXPECT_EQ(GenericCollection(*read.get("Chosen"))[0],
            GenericCollection(*read.get("Particles"))[2]);
}

TEST(GenericModel, hasInterfacesAndLinks) {
  const kaon::ModelDatatypes& datatypes =
      kaon::modelDatatypes({{"here", R"({"name": "i", "schema_version": 1, "datatypes": [
      {"name": "i::Pixel"}, {"name": "i::Strip", "members": [{"name": "x", "type": "int"}]},
      {"name": "i::Other"},
      {"name": "i::Track", "oneToManyRelations": [{"name": "hits", "type": "i::Hit"}]}],
      "interfaces": [{"name": "i::Hit", "types": ["i::Pixel", "i::Strip"]}],
      "links": [{"name": "i::Link", "from": "i::Hit", "to": "i::Track"}]})"}});
  GenericCollection pixels(datatypes.get("i::Pixel")), strips(datatypes.get("i::Strip")),
      others(datatypes.get("i::Other")), tracks(datatypes.get("i::Track")),
      links(datatypes.get("i::Link"));
  strips.create().set("x", 5);
  MutableGenericObject track = tracks.create();
  track.relate("hits", pixels.create());
  track.relate("hits", strips[0]);
  expectError(ErrorKind::type, "leads to an i::Hit, not to an i::Other",
              [&] { track.relate("hits", others.create()); });
  MutableGenericObject link = links.create();
  link.relate("from", strips[0]);
  link.relate("to", track);
  Frame built;
  built.put(std::move(pixels), "Pixels");
  built.put(std::move(strips), "Strips");
  built.put(std::move(tracks), "Tracks");
  built.put(std::move(links), "Links");
  const Frame frame = Frame::fromBytes(built.toBytes().bytes());
  const GenericObject hit = GenericCollection(*frame.get("Tracks"))[0].related("hits")[1];
  EXPECT_EQ(hit.datatype().name, "i::Strip");
  EXPECT_EQ(hit.get<int>("x"), 5);
  const GenericObject read = GenericCollection(*frame.get("Links"))[0];
  EXPECT_EQ(read.get<float>("weight"), 1.F);
  EXPECT_EQ(read.relatedOne("from"), hit);
  EXPECT_EQ(read.relatedOne("to").related("hits")[1], hit);
}

TEST(GenericModel, mayComeFromElsewhere) {
  const std::string json = R"({"name": "m", "schema_version": 2, "datatypes": [{"name": "m::Run",
      "members": [{"type": "int", "name": "number", "default": "7"},
                  {"type": "std::string", "name": "title"}],
      "vectorMembers": [{"type": "std::string", "name": "notes"}]}]})";
  const kaon::ModelDatatypes& datatypes = kaon::modelDatatypes({{"here", json}});
  EXPECT_EQ(&datatypes, &kaon::modelDatatypes({{"there", json}}));
  GenericCollection runs(datatypes.get("m::Run"));
  MutableGenericObject run = runs.create();
  run.set("title", "first");
  run.add("notes", "a");
  run.add("notes", "bc");
  Frame built;
  built.put(std::move(runs), "Runs");
  const Frame frame = Frame::fromBytes(built.toBytes().bytes());
  EXPECT_EQ(frame.get("Runs")->getTypeName(), "kaon::GenericCollection");
  EXPECT_EQ(frame.get("Runs")->getValueTypeName(), "m::Run");
  const GenericObject read = GenericCollection(*frame.get("Runs"))[0];
  EXPECT_EQ(read.get<int>("number"), 7);
  EXPECT_EQ(read.getString("title"), "first");
  EXPECT_EQ(read.getVector<std::string_view>("notes")[1], "bc");
  expectError(ErrorKind::type, "'title' of a m::Run is not a vector of strings",
              [&] { (void)read.getVector<std::string_view>("title"); });
}

} // namespace
