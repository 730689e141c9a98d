// Writes the inputs that fuzzing begins with: `kaon_fuzz_corpora FOLDER` makes one folder for each
// target in FOLDER. Files are small, so that they are read thousands of times a second.

#include "codec/Columns.h"
#include "support/Files.h"
#include "support/HipoBytes.h"
#include "support/RandomEvents.h"
#include "support/SioBytes.h"

#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/files/Files.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/BatchBuilder.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::fuzz {
namespace {

namespace fs = std::filesystem;

class Corpora {
public:
  explicit Corpora(fs::path folder) : m_folder(std::move(folder)) {}

  /// Adds an input to the folder of a target.
  void add(const std::string& target, std::string_view input) {
    const fs::path folder = m_folder / target;
    fs::create_directories(folder);
    test::writeFile((folder / std::to_string(m_inputs++)).string(), input);
  }

private:
  fs::path m_folder;
  std::size_t m_inputs = 0;
};

/// Adds the small files of other tests, which other programs and earlier versions wrote.
void addFilesOfTests(Corpora& corpora) {
  const std::map<std::string, std::string> targets{{".kaon", "kaonfile"}, {".root", "root"},
                                                   {".h5", "hdf5"},       {".sio", "sio"},
                                                   {".slcio", "sio"},     {".hipo", "hipo"}};
  constexpr std::uintmax_t mostBytes = 24'000;
  for (const std::string folder : {"/format/golden", "/data"})
    for (const auto& entry : fs::recursive_directory_iterator(KAON_TESTS + folder))
      if (const auto target = targets.find(entry.path().extension().string());
          target != targets.end() && entry.file_size() <= mostBytes)
        corpora.add(target->second, test::readFile(entry.path().string()));
}

std::string_view textOf(const Buffer& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes a few random entries of these tables.
void writeEvents(Sink& sink, const std::vector<TableDefinition>& tables) {
  detail::BatchBuilder builder;
  for (const TableDefinition& table : tables)
    builder.add(table);
  test::RandomEvents events(1, 2);
  for (int entry = 0; entry < 3; ++entry)
    events.addEntry(builder);
  sink.write("events", builder.batch(0));
  sink.write("events", builder.batch(3));
  sink.addDocument("a text", "of something");
  sink.finish();
}

/// Adds files of all formats that can hold all tables, uncompressed, so that changes of single
/// bytes are small changes.
void addOwnFiles(Corpora& corpora) {
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    Buffer bytes;
    writeEvents(*create(io::memorySink("f.kaon", bytes), {.codec = uncompressed()}),
                test::assortedTables(layout));
    corpora.add("kaonfile", textOf(bytes));
  }
  Buffer ntuple;
  root::RootFileWriter writer(io::memorySink("f.root", ntuple), {uncompressed(), 64},
                              root::CategoryForm::ntuple);
  writeEvents(writer, test::assortedTables(Layout::split));
  corpora.add("root", textOf(ntuple));
}

void addHipo(Corpora& corpora) {
  for (const test::HipoForm& form :
       {test::HipoForm{}, test::HipoForm{.type = 1}, test::HipoForm{.isFinished = false},
        test::HipoForm{.isBigEndian = true}}) {
    const test::HipoBytes hipo(form);
    const std::string bank = hipo.structure(
        300, 1, 11,
        hipo.numbers(1, 2) + hipo.numbers(std::int8_t{1}, std::int8_t{2}) + hipo.numbers(1.F, 2.F));
    const std::string composite =
        hipo.structure(40, 7, 10, hipo.numbers(std::int8_t{1}, 2.5F, std::int64_t{3}), "bfl");
    const std::string node = hipo.structure(20, 3, 5, hipo.numbers(1.5, 2.5));
    corpora.add("hipo", hipo.file({hipo.bank("{Track/300/1}{pid/I,q/B,pt/F}"),
                                   hipo.event({hipo.structure(32555, 1, 6, "run"),
                                               hipo.structure(32555, 2, 6, "5038")})},
                                  {{{hipo.event({bank, composite}, 7),
                                     hipo.event({node, hipo.structure(20, 4, 6, "text"), bank})},
                                    7},
                                   {{hipo.event({bank}), hipo.event({})}, 0}}));
  }
}

void addLcio(Corpora& corpora) {
  using test::sioNumbers;
  const std::string particles =
      sioNumbers(2) + test::lcioParticle(1, 25, {}) + test::lcioParticle(2, 22, {1}, 1U << 31);
  const std::string generic = sioNumbers(1) + sioNumbers(1, 1, 1) + sioNumbers(5) +
                              sioNumbers(1.5F) + sioNumbers(2.5) + sioNumbers(~0U);
  const std::string hits = sioNumbers(1, 4) + sioNumbers(0.5F) + sioNumbers(1) +
                           sioNumbers(2U, 0.25F, 1.5F) + sioNumbers(~0U);
  for (const bool isCompressed : {false, true})
    corpora.add(
        "sio", test::lcioRun(7) +
                   test::lcioEvent(1,
                                   {{"Generic", "LCGenericObject", 0, generic},
                                    {"Hits", "SimCalorimeterHit", 0, hits},
                                    {"MCParticle", "MCParticle", 0, particles},
                                    {"Stable", "MCParticle_References", 1U << 18, sioNumbers(1, 2)},
                                    {"Vecs", "LCIntVec", 0, sioNumbers(1, 2, 8, 9, ~0U)}},
                                   isCompressed));
}

void addEncodedValues(Corpora& corpora) {
  // The forms and numbers of values as EncodingTarget.cpp has them.
  const std::map<std::uint32_t, char> forms{{1, 0}, {2, 2}, {4, 4}, {8, 7}, {12, 12}};
  for (const test::Column& column : test::columns(119))
    if (const auto form = forms.find(column.element.size); form != forms.end())
      for (const codec::EncodingRow& row : codec::encodingTable())
        for (const Compression how : {zstd(), lz4()}) {
          Buffer stored;
          codec::Element element = column.element;
          element.precision = {};
          if (codec::encode(row.encoding, column.element, column.first(119), how, stored))
            corpora.add("encoding", std::string{static_cast<char>(row.encoding), form->second,
                                                static_cast<char>(128 + 7)} +
                                        std::string(textOf(stored)));
        }
}

void addModels(Corpora& corpora) {
  corpora.add("model", R"({"name": "m", "schema_version": 2,
 "enums": [{"name": "Side", "underlying": "uint8_t", "values": [{"name": "left", "value": 1}]}],
 "components": [{"name": "Point", "members": [{"type": "float", "name": "x", "unit": "mm"},
   {"type": "double", "name": "errors", "arraySize": 3}]}],
 "datatypes": [{"name": "Hit", "author": "a", "description": "d",
   "members": [{"type": "Point", "name": "at", "optional": true}, {"type": "Side", "name": "side"},
     {"type": "int32_t", "name": "n", "default": "-1"}, {"type": "std::string", "name": "label"}],
   "vectorMembers": [{"type": "double", "name": "times", "depth": 1}],
   "oneToOneRelations": [{"type": "Hit", "name": "next"}],
   "oneToManyRelations": [{"type": "Any", "name": "others"}]}],
 "interfaces": [{"name": "Any", "types": ["Hit"], "members": [{"type": "int32_t", "name": "n"}]}],
 "links": [{"name": "HitLink", "from": "Hit", "to": "Any"}],
 "storage": [{"datatype": "Hit", "layout": "row", "group": "g", "precision": {"at.x": {"bits": 8}}}],
 "migrations": [{"type": "Hit", "fromVersion": 1, "toVersion": 2,
   "renameMember": {"from": "m", "to": "n"}}], "upstream": []})");
  corpora.add("model", R"({"options": {"getSyntax": false}, "schema_version": 1,
 "components": {"Point": {"Members": ["float x [mm] // first", "std::array<double, 3> errors"]}},
 "datatypes": {"Hit": {"Description": "d", "Author": "a", "Members": ["Point at // place",
   "int32_t n{-1} // a number"], "VectorMembers": ["float times // t"],
   "OneToOneRelations": ["Hit next // n"], "OneToManyRelations": ["Hit others // o"]}},
 "interfaces": {"Any": {"Description": "d", "Author": "a", "Members": ["int32_t n // n"],
   "Types": ["Hit"]}},
 "links": {"HitLink": {"Description": "d", "Author": "a", "From": "Hit", "To": "Any"}}})");
}

void addMetadata(Corpora& corpora) {
  Metadata metadata;
  metadata.set("experiment", "ours");
  metadata.set("luminosity", 1.25, "sum");
  metadata.set("last run", std::int64_t{-7}, "max");
  metadata.set("tags", Json::List{"a", nullptr, true, Json::LongNumber{"123456789012345678901"}},
               "union");
  metadata.part("events").set("first", Json::Entries{{"x", 1}}, "first");
  metadata.part("events").part("Hits").set("threshold", 0.5);
  corpora.add("metadata", metadata.toJson());
}

constexpr std::array expressions{
    "count(Muon[Muon.pt > 20 and abs(Muon.eta) < 2.4]) >= 2",
    "60 < (Muon[0] + Muon[-1]).mass < 120",
    "sum(Jet.weights)",
    "Jet.track.pt",
    "Muon.pt[argsort(-Muon.pt)][:2]",
    "deltaR(pairs(Muon, Muon)) > 0.4",
    "combinations(Muon, 2).first.pt if count(Muon) > 1 else 0x1f",
    "take(Muon.pt, Muon.charge, default(x, 1e-3))",
    "title == 'a' or any(Muon.label == \"b\") and not run in (1, -2)",
    "(run % 3) ** 2 // 4 << 1 ^ ~run | run & 7",
    "where(has(x), x.value, nan)",
    "concatenate(good_muons.pt, float(Hit.time))",
    "isfinite(sqrt(log(met))) and index(Muon) != argmax(Muon.pt)",
    "transverseMass(met, 0, max(Muon.pt), min(Muon.phi, 3)) % 1_000",
    "id >> 2",
    "first(Muon.good, False) <= last(Muon.good, True)",
};

int writeAll(const fs::path& folder) {
  fs::remove_all(folder);
  Corpora corpora(folder);
  addFilesOfTests(corpora);
  addOwnFiles(corpora);
  addHipo(corpora);
  addLcio(corpora);
  addEncodedValues(corpora);
  addModels(corpora);
  addMetadata(corpora);
  for (const char* const text : expressions)
    corpora.add("expression", text);
  return EXIT_SUCCESS;
}

} // namespace
} // namespace kaon::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: kaon_fuzz_corpora FOLDER" << std::endl;
    return EXIT_FAILURE;
  }
  return kaon::fuzz::writeAll(argv[1]);
}
