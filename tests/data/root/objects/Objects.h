#pragma once

// Classes of the files that make_objects.sh makes. VERSION is the version of Cell, Cluster, Stamp
// and Shot; 2 is the latest.

#include <TClonesArray.h>
#include <TObject.h>

#include <array>
#include <bitset>
#include <map>
#include <vector>

enum Quality { poor, fair, good };
enum class Side : short { left = -1, right = 1 };

class Cell {
public:
  int id = 0;
  float energy = 0;
#if VERSION > 1
  double time = 0;
  std::vector<short> samples;
#else
  short gain = 0;
#endif
  virtual ~Cell() = default;
  ClassDef(Cell, VERSION)
};

class Cluster {
public:
#if VERSION > 1
  int number = 0;
#endif
  Cell seed;
  std::vector<Cell> cells;
  virtual ~Cluster() = default;
  ClassDef(Cluster, VERSION)
};

struct Point {
  int id = 0;
  float x = 0;
};

class Hit : public TObject {
public:
  float x = 0;
  int n = 0;
  ClassDef(Hit, 3)
};

class Holder {
public:
  int run = 0;
  Hit* best = nullptr;
  Point* point = nullptr;
  std::bitset<12> flags;
  Quality quality = poor;
  std::vector<Quality> qualities;
  std::vector<Side> sides;
  std::vector<Point*> points;
  std::vector<float>* weights = nullptr;
  virtual ~Holder() = default;
  ClassDef(Holder, 2)
};

class Track : public Hit {
public:
  double length = 0;
  std::vector<short> codes;
  TClonesArray* inner;
  Track() : inner(new TClonesArray("Hit")) {}
  ClassDef(Track, 1)
};

class Deck : public TObject {
public:
  int number = 0;
  TClonesArray* hits;
  float weight = 0;
  Deck() : hits(new TClonesArray("Hit")) {}
  ClassDef(Deck, 1)
};

class Bundle : public TObject {
public:
  int number = 0;
  TClonesArray* tracks;
  TClonesArray hits;
  TClonesArray* none = nullptr;
  TObject* other = nullptr;
  Bundle() : tracks(new TClonesArray("Track")), hits("Hit") {}
  ClassDef(Bundle, 1)
};

class Length {
public:
  int n = 0;
  virtual ~Length() = default;
  ClassDef(Length, 1)
};

class Series : public Length {
public:
  int m = 0;
  float* values = nullptr; //[m]
  short* codes = nullptr;  //[n]
  virtual ~Series() = default;
  ClassDef(Series, 1)
};

class Album {
public:
  int m = 0; // not what counts in a Series
  std::vector<Series> series;
  std::vector<Point> points[2];
  Series last;
  virtual ~Album() = default;
  ClassDef(Album, 1)
};

class Trail {
public:
  int number = 0;
  std::vector<std::array<short, 2>> cells;
  std::vector<std::array<Point, 2>> points;
  float length = 0;
  virtual ~Trail() = default;
  ClassDef(Trail, 1)
};

class Wave : public TObject {
public:
  int size = 0;
  int offset = 0;
  float* samples = nullptr; //[size]
  ~Wave() override { delete[] samples; }
  void set(int count, int first) {
    Clear();
    size = count;
    offset = first;
    samples = count > 0 ? new float[static_cast<std::size_t>(count)] : nullptr;
    for (int j = 0; j < count; ++j)
      samples[j] = 0.25F * j;
  }
  void Clear(const char* = "") override {
    delete[] samples;
    samples = nullptr;
    size = 0;
  }
  ClassDef(Wave, 1)
};

class Waves : public TObject {
public:
  int number = 0;
  TClonesArray* waves;
  Waves() : waves(new TClonesArray("Wave")) {}
  ClassDef(Waves, 1)
};

class Rack {
public:
  std::vector<Deck> decks;
  virtual ~Rack() = default;
  ClassDef(Rack, 1)
};

class Stamp {
public:
#if VERSION == 1
  short day = 0;
#endif
  int number = 0;
#if VERSION > 1
  double time = 0;
#endif
  virtual ~Stamp() = default;
  ClassDef(Stamp, VERSION)
};

class Shot : public Stamp {
public:
  float charge = 0;
  ClassDef(Shot, VERSION)
};
