#include "Objects.h"

#include <ROOT/TIOFeatures.hxx>
#include <TFile.h>
#include <TNamed.h>
#include <TTree.h>

#include <cstring>
#include <string>

// Usage: make_objects old|new FILE CLONES COUNTED UNREAD SPLIT. A program with the older classes
// creates the files; a program with the newer classes adds trees to FILE and SPLIT.

ClassImp(Cell) ClassImp(Cluster) ClassImp(Hit) ClassImp(Holder) ClassImp(Track) ClassImp(Bundle)
    ClassImp(Length) ClassImp(Series) ClassImp(Album) ClassImp(Trail) ClassImp(Wave) ClassImp(Waves)
        ClassImp(Rack) ClassImp(Stamp) ClassImp(Shot)

            constexpr int entries = 6;

void makePointers(const char* name, int split) {
  TTree tree(name, "");
  Holder* holder = new Holder;
  std::bitset<70> bits;
  std::vector<std::bitset<5>> masks;
  std::vector<Hit*> hits;
  tree.Branch("holder.", &holder, 32000, split);
  tree.Branch("bits", &bits);
  tree.Branch("masks", &masks);
  tree.Branch("hits", &hits, 32000, split);
  for (int i = 0; i < entries; ++i) {
    *holder = Holder();
    holder->run = 100 + i;
    if (i % 2 == 1) {
      holder->best = new Hit;
      holder->best->x = 0.5F * i;
      holder->best->n = i;
    }
    if (i % 3 == 0)
      holder->point = new Point{i, 2.5F};
    holder->flags = static_cast<unsigned>(i * 77);
    holder->quality = static_cast<Quality>(i % 3);
    bits.reset();
    bits.set(static_cast<std::size_t>(i));
    bits.set(static_cast<std::size_t>(69 - i));
    holder->weights = new std::vector<float>(static_cast<std::size_t>(i), 0.25F);
    masks.clear();
    hits.clear();
    for (int k = 0; k < i; ++k) {
      holder->qualities.push_back(static_cast<Quality>(k % 3));
      holder->sides.push_back(k % 2 == 0 ? Side::left : Side::right);
      holder->points.push_back(k == 3 ? holder->points[1] : new Point{k, 1.5F * k}); // one twice
      masks.push_back(static_cast<unsigned>(k + i));
      Hit* const hit = new Hit;
      hit->n = k;
      hit->x = -1.F * i;
      hits.push_back(k == 2 ? nullptr : k == 4 ? hits[0] : hit);
    }
    tree.Fill();
  }
  tree.Write();
}

void makeVersions(const char* name) {
  TTree tree(name, "");
  Cluster cluster;
  std::vector<Cluster> clusters;
  Cell* cell = new Cell;
  tree.Branch("cluster", &cluster, 32000, 0);
  tree.Branch("clusters", &clusters, 32000, 0);
  tree.Branch("split.", &cluster, 32000, 99);
  tree.Branch("cell.", &cell, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    cluster = Cluster();
    clusters.clear();
    const auto fill = [&](Cell& one, int id) {
      one.id = id;
      one.energy = 0.5F * id;
#if VERSION > 1
      one.time = 0.125 * id;
      one.samples.assign(static_cast<std::size_t>(id % 3), static_cast<short>(id));
#else
      one.gain = 7;
#endif
    };
    fill(*cell, i);
    fill(cluster.seed, 10 + i);
    for (int k = 0; k < i; ++k) {
      cluster.cells.emplace_back();
      fill(cluster.cells.back(), 20 + k);
#if VERSION > 1
      cluster.number = i;
#endif
      clusters.push_back(cluster);
    }
    tree.Fill();
  }
  tree.Write();
}

/// Makes two branches of each name, like Delphes.
void makeTwice() {
  TTree tree("twice", "");
  int number = 0;
  float other = 0;
  TClonesArray hits("Hit"), others("Hit");
  tree.Branch("x", &number);
  tree.Branch("x", &other);
  tree.Branch("x_2", &number);
  tree.Branch("hits", &hits);
  tree.Branch("hits", &others);
  for (int i = 0; i < entries; ++i) {
    number = i;
    other = 0.5F * i;
    hits.Clear();
    others.Clear();
    for (int k = 0; k < i; ++k) {
      static_cast<Hit*>(hits.ConstructedAt(k))->n = k;
      static_cast<Hit*>(others.ConstructedAt(k))->n = -k;
    }
    tree.Fill();
  }
  tree.Write();
}

/// Adds branches when the tree already has entries.
void makeLate() {
  TTree tree("late", "");
  int x = 0;
  tree.Branch("x", &x);
  for (x = 0; x < entries; ++x)
    tree.Fill();
  tree.Branch("never", &x);
  TBranch* const few = tree.Branch("few", &x);
  few->Fill();
  few->Fill();
  tree.Write();
}

void makeArrays() {
  TTree tree("arrays", "");
  std::vector<std::array<short, 2>> pairs;
  std::vector<std::vector<std::array<float, 3>>> nested;
  std::vector<std::array<Point, 2>> points;
  std::map<int, std::array<short, 2>> map; // ROOT has no compiled code for these pairs
  tree.Branch("pairs", &pairs, 32000, 0);
  tree.Branch("nested", &nested, 32000, 0);
  tree.Branch("points", &points, 32000, 0);
  tree.Branch("map", &map, 32000, 0);
  tree.Branch("splitMap", &map, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    pairs.clear();
    nested.clear();
    points.clear();
    map.clear();
    for (int k = 0; k < i; ++k) {
      pairs.push_back({static_cast<short>(i), static_cast<short>(-k)});
      nested.emplace_back();
      for (int m = 0; m < k; ++m)
        nested.back().push_back({0.5F * m, 0.5F * i, 2.5F});
      points.push_back({Point{k, 0}, Point{k, 1}});
      map[k] = pairs.back();
    }
    tree.Fill();
  }
  tree.Write();
}

void fillTrack(Track& track, int i, int k) {
  track.n = k;
  track.length = 0.5 * i;
  track.codes.assign(static_cast<std::size_t>(k), static_cast<short>(i));
  track.inner->Clear();
  for (int m = 0; m < k; ++m)
    static_cast<Hit*>(track.inner->ConstructedAt(m))->n = 10 * i + m;
}

/// Fills a TClonesArray for entry i.
void fillTracks(TClonesArray& tracks, int i) {
  tracks.Clear();
  for (int k = 0; k < i % 4; ++k)
    fillTrack(*static_cast<Track*>(tracks.ConstructedAt(k)), i, k);
}

/// Makes unsplit TClonesArrays, whole objects in the form of BranchOld(), and TClonesArrays that
/// BranchOld() splits.
void makeClones() {
  TTree tree("clones", "");
  Bundle* bundle = new Bundle;
  TClonesArray* tracks = new TClonesArray("Track");
  TClonesArray* holes = new TClonesArray("Hit");
  holes->BypassStreamer(false);
  tree.Branch("tracks", &tracks, 32000, 0);
  tree.Branch("columns", &tracks, 32000, 99);
  tree.Branch("holes", &holes, 32000, 0);
  tree.Branch("bundle", &bundle, 32000, 0);
  tree.BranchOld("old", "Bundle", &bundle, 32000, 0);
  Hit* parts = new Hit;
  Track* shallow = new Track;
  tree.Branch("shallow.", &shallow, 32000, 1);
  tree.BranchOld("parts.", "Hit", &parts, 32000, 1);
  for (int i = 0; i < entries; ++i) {
    fillTrack(*shallow, i, i % 3);
    shallow->n = parts->n = bundle->number = i;
    fillTracks(*tracks, i);
    fillTracks(*bundle->tracks, i + 1);
    bundle->hits.Clear();
    holes->Clear();
    for (int k = 0; k < i; ++k) {
      static_cast<Hit*>(bundle->hits.ConstructedAt(k))->x = 0.25F * k;
      static_cast<Hit*>(holes->ConstructedAt(k))->n = k + 1;
    }
    if (i > 2)
      holes->RemoveAt(1);
    tree.Fill();
  }
  tree.Write();
}

/// Makes a TClonesArray of objects without members, beside one of objects with members.
void makeBare() {
  TTree tree("bare", "");
  TClonesArray objects("TObject"), hits("Hit");
  tree.Branch("objects", &objects, 32000, 0);
  tree.Branch("hits", &hits, 32000, 0);
  for (int i = 0; i < entries; ++i) {
    objects.ConstructedAt(i);
    static_cast<Hit*>(hits.ConstructedAt(0))->n = i;
    tree.Fill();
  }
  tree.Write();
}

/// Makes TClonesArrays that BranchOld() splits, in a separate file. The first array is the first to
/// name the class of the leaves of floats. Both arrays and their counters have the same names.
void makeBranchClones() {
  TTree tree("t", "");
  Deck* first = new Deck;
  Deck* second = new Deck;
  tree.BranchOld("first", "Deck", &first, 32000, 1);
  tree.BranchOld("second", "Deck", &second, 32000, 1);
  for (int i = 0; i < entries; ++i) {
    first->number = i;
    second->number = -i;
    first->weight = 0.25F * i;
    first->hits->Clear();
    second->hits->Clear();
    for (int k = 0; k < i; ++k) {
      static_cast<Hit*>(first->hits->ConstructedAt(k))->n = 10 * i + k;
      static_cast<Hit*>(first->hits->ConstructedAt(k))->x = 0.5F * k;
    }
    static_cast<Hit*>(second->hits->ConstructedAt(0))->n = -i;
    tree.Fill();
  }
  tree.Write();
}

/// Fills arrays that members count; the counter of one is in the base class. Empty arrays are null.
void fillSeries(Series& series, int i, int k) {
  series.m = k;
  series.n = (i + k) % 3;
  series.values = k > 0 ? new float[static_cast<std::size_t>(k)] : nullptr;
  for (int j = 0; j < series.m; ++j)
    series.values[j] = 0.5F * i + j;
  series.codes = series.n > 0 ? new short[static_cast<std::size_t>(series.n)] : nullptr;
  for (int j = 0; j < series.n; ++j)
    series.codes[j] = static_cast<short>(10 * i + k);
}

/// Makes objects with arrays that members count: alone, and in vectors that store member by member.
/// One vector is split. Also makes an array of vectors.
void makeCounted() {
  TTree tree("t", "");
  Album album;
  std::vector<Series> series;
  tree.Branch("album", &album, 32000, 0);
  tree.Branch("series", &series, 32000, 0);
  tree.Branch("columns", &series, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    album.m = i + 1;
    album.series.resize(static_cast<std::size_t>(i % 4));
    series.resize(album.series.size());
    for (int k = 0; k < i % 4; ++k) {
      fillSeries(album.series[static_cast<std::size_t>(k)], i, k);
      fillSeries(series[static_cast<std::size_t>(k)], i, k + 1);
    }
    fillSeries(album.last, i, 2);
    album.points[0].assign(static_cast<std::size_t>(i % 3), {i, 1.5F});
    album.points[1].assign(static_cast<std::size_t>(i % 2), {-i, 2.5F});
    tree.Fill();
  }
  tree.Write();
}

/// Makes branches that ROOT writes without values, one with objects of a derived class, and
/// readable branches.
void makeUnread() {
  TTree tree("t", "");
  Trail trail;
  std::vector<std::array<short, 2>> cells;
  std::vector<Hit*> hits;
  TNamed* named = new TNamed;
  int number = 0;
  tree.Branch("trail.", &trail, 32000, 99);
  tree.Branch("cells", &cells, 32000, 99);
  tree.Branch("hits", &hits, 32000, 0);
  tree.Branch("named", &named, 32000, 0);
  tree.Branch("number", &number);
  for (int i = 0; i < entries; ++i) {
    number = trail.number = i;
    trail.length = 0.5F * i;
    trail.cells.assign(static_cast<std::size_t>(i), {static_cast<short>(i), 7});
    trail.points.assign(static_cast<std::size_t>(i), {Point{i, 0}, Point{i, 1}});
    cells = trail.cells;
    hits.assign(static_cast<std::size_t>(i), new Track);
    named->SetName(("name " + std::to_string(i)).c_str());
    tree.Fill();
  }
  tree.Write();
}

/// Makes baskets that do not state where entries begin; counters determine it. In a split object
/// and in a split TClonesArray, arrays have no counter. Also makes readable branches.
void makeWithoutOffsets() {
  TTree tree("withoutOffsets", "");
  ROOT::TIOFeatures features;
  features.Set(ROOT::Experimental::EIOFeatures::kGenerateOffsetMap);
  tree.SetIOFeatures(features);
  int number = 0;
  float x[entries];
  Series series;
  Waves waves;
  for (TClass* const type : {Wave::Class(), Waves::Class()})
    type->IgnoreTObjectStreamer();
  tree.Branch("number", &number);
  tree.Branch("x", x, "x[number]/F");
  tree.Branch("series.", &series, 32000, 99);
  tree.Branch("waves.", &waves, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    number = i;
    waves.number = 10 * i;
    waves.waves->Clear("C");
    for (int k = 0; k < i; ++k) {
      x[k] = 0.5F * i + k;
      static_cast<Wave*>(waves.waves->ConstructedAt(k))->set(i, k);
    }
    fillSeries(series, i, i);
    tree.Fill();
  }
  tree.Write();
}

/// Makes a split vector of objects with vectors of objects, each with a TClonesArray. The first
/// entry has no objects.
void makeRacks() {
  TTree tree("racks", "");
  std::vector<Rack> racks;
  tree.Branch("racks", &racks, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    racks.assign(static_cast<std::size_t>(i % 3), Rack());
    for (int k = 0; k < i % 3; ++k)
      for (int m = 0; m < (i + k) % 3; ++m) {
        Deck& deck = racks[static_cast<std::size_t>(k)].decks.emplace_back();
        deck.number = m;
        static_cast<Hit*>(deck.hits->ConstructedAt(0))->n = 10 * i + k;
      }
    tree.Fill();
  }
  tree.Write();
}

/// Writes objects of the older version of their class and its base.
void makeShots() {
  TTree tree("shots", "");
  Shot shot;
  std::vector<Shot> shots;
  tree.Branch("whole.", &shot, 32000, 0);
  tree.Branch("split.", &shot, 32000, 99);
  tree.Branch("shots", &shots, 32000, 99);
  for (int i = 0; i < entries; ++i) {
    shot.number = i;
    shot.charge = 0.5F * i;
#if VERSION == 1
    shot.day = static_cast<short>(i);
#endif
    shots.assign(static_cast<std::size_t>(i), shot);
    tree.Fill();
  }
  tree.Write();
}

/// Writes the same objects with the newer version into branches of the older version. hadd does
/// this for entries that it cannot copy as bytes.
void copyShots(TFile& file) {
  TTree* copy = file.Get<TTree>("shots")->CloneTree(-1);
  copy->SetName("copied");
  copy->Write();
}

int main(int, char** arguments) {
  const bool isNew = std::strcmp(arguments[1], "new") == 0;
  TFile file(arguments[2], isNew ? "UPDATE" : "RECREATE", "", 0);
  makeVersions(isNew ? "second" : "first");
  if (isNew) {
    makePointers("split", 99);
    makePointers("whole", 0);
    makeTwice();
    makeClones();
    makeArrays();
    makeLate();
    makeBare();
  }
  file.Close();
  TFile clones(arguments[3], "RECREATE", "", 0);
  makeBranchClones();
  TFile counted(arguments[4], "RECREATE");
  makeCounted();
  TFile unread(arguments[5], "RECREATE");
  makeUnread();
  TFile split(arguments[6], isNew ? "UPDATE" : "RECREATE");
  if (!isNew)
    return makeShots(), 0;
  copyShots(split);
  makeWithoutOffsets();
  makeRacks();
}
