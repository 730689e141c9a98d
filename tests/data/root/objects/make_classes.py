"""Write ttree_classes.root with ROOT's Python: ROOT's own classes in branches and members.

python make_classes.py ttree_classes.root
"""

import sys

import ROOT

for library in ("libMathCore", "libMatrix", "libPhysics", "libHist", "libTree"):
    ROOT.gSystem.Load(library)

ROOT.gInterpreter.Declare("""
#include <TDatime.h>
#include <TFile.h>
#include <TGraph.h>
#include <TList.h>
#include <TMatrixDSym.h>
#include <TNamed.h>
#include <TRef.h>
#include <TRefArray.h>
#include <TString.h>
#include <TTree.h>
#include <TVector2.h>

#include <algorithm>
#include <string>

TNamed* named(int number) {
  static TNamed* const all = new TNamed[8];
  return all + number;
}

void fill(TString& text, int entry) { text = TString('s', entry); }
void fill(TDatime& time, int entry) { time.Set(2020, 1, entry + 1, 2, 3, 4); }
void fill(TNamed& object, int entry) { object.SetNameTitle(TString('n', entry), "title"); }
void fill(TRef& reference, int entry) { reference = named(entry); }
void fill(TVector2& vector, int entry) { vector.Set(entry, entry + 0.5); }
void fill(TRefArray& references, int entry) {
  references.Clear();
  for (int i = 0; i < entry; ++i)
    references.Add(named(i));
}
void fill(TMatrixDSym& matrix, int entry) {
  matrix.ResizeTo(entry + 1, entry + 1);
  for (int i = 0; i <= entry; ++i)
    for (int j = 0; j <= entry; ++j)
      matrix(i, j) = 10 * std::min(i, j) + std::max(i, j);
}
void fill(TGraph& graph, int entry) {
  graph.Set(0);
  for (int i = 0; i < entry; ++i)
    graph.SetPoint(i, i, 2 * i);
}

/// Pointers, null in entry 1.
struct Pointers {
  int first = 1;
  TString* text = nullptr;
  TDatime* time = nullptr;
  TNamed* object = nullptr;
  TRef* reference = nullptr;
  const TRefArray* references = nullptr;
  TMatrixDSym* matrix = nullptr;
  TVector2* vectors[2] = {nullptr, nullptr};
  int last = 9;
};

/// Arrays of objects, and members that only ROOT's own code can read.
struct Arrays {
  int first = 1;
  TNamed objects[2];
  TRef references[2];
  TList lists[2];
  std::vector<TObjArray> arrays;
  int last = 9;
};

struct Counted { int n; float x[5]; };
struct Worded { int a; char text[10]; };

template <class T>
void add(TTree& tree, const char* name, T& object, int split) {
  tree.Branch(name, &object, 32000, split);
}

template <class T>
T* made(int entry) {
  if (entry == 1)
    return nullptr;
  auto* const object = new T;
  fill(*object, entry);
  return object;
}

void write(const char* path) {
  TFile file(path, "recreate", "", 0); // not compressed, so that damage reaches the values
  for (const int split : {0, 99}) {
    TTree tree(split == 0 ? "whole" : "split", "");
    TString text;
    TDatime time;
    TNamed object;
    TRef reference;
    TRefArray references;
    TMatrixDSym matrix;
    TGraph graph;
    Pointers pointers;
    Arrays arrays;
    add(tree, "text", text, split);
    add(tree, "time", time, split);
    add(tree, "object", object, split);
    add(tree, "reference", reference, split);
    add(tree, "references", references, split);
    add(tree, "matrix", matrix, split);
    add(tree, "graph", graph, split);
    add(tree, "pointers", pointers, split);
    add(tree, "arrays", arrays, split);
    Counted counted;
    Worded worded;
    tree.Branch("counted", &counted, "n/I:x[n]/F");
    tree.Branch("worded", &worded, "a/I:text/C");
    for (int entry = 0; entry < 3; ++entry) {
      fill(text, entry);
      fill(time, entry);
      fill(object, entry);
      fill(reference, entry);
      fill(references, entry);
      fill(matrix, entry);
      fill(graph, entry);
      pointers.text = made<TString>(entry);
      pointers.time = made<TDatime>(entry);
      pointers.object = made<TNamed>(entry);
      pointers.reference = made<TRef>(entry);
      pointers.references = made<TRefArray>(entry);
      pointers.matrix = made<TMatrixDSym>(entry);
      pointers.vectors[0] = made<TVector2>(entry);
      pointers.vectors[1] = made<TVector2>(1);
      for (int i = 0; i < 2; ++i) {
        fill(arrays.objects[i], entry + i);
        fill(arrays.references[i], entry + i);
        arrays.lists[i].Add(named(entry));
      }
      arrays.arrays.resize(entry);
      counted.n = entry;
      for (int i = 0; i < entry; ++i)
        counted.x[i] = 10 * entry + i;
      worded.a = entry;
      snprintf(worded.text, sizeof worded.text, "text %d", entry);
      tree.Fill();
    }
    tree.Write();
  }
}
""")
ROOT.write(sys.argv[1])
