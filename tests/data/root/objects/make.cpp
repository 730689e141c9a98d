#include "Objects.h"

#include <TFile.h>
#include <TTree.h>

#include <cstring>
#include <string>

// make_objects NEW FILE: the trees of the classes' older version begin a file, those of the newer
// one are added to it.

ClassImp(Cell) ClassImp(Cluster) ClassImp(Hit) ClassImp(Holder)

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

/// Two branches of each name, as Delphes has them.
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

int main(int, char** arguments) {
  const bool isNew = std::strcmp(arguments[1], "new") == 0;
  TFile file(arguments[2], isNew ? "UPDATE" : "RECREATE", "", 0);
  makeVersions(isNew ? "second" : "first");
  if (isNew) {
    makePointers("split", 99);
    makePointers("whole", 0);
    makeTwice();
  }
  file.Close();
}
