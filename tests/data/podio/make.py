#!/usr/bin/env python3
"""Write toy.ttree.root, toy.rntuple.root and toy.json: files of podio 1.7, and their contents.

The file toy_old.rntuple.root has the runs, with their collections described as by podio 1.2.

This needs PyROOT and PyYAML. The model is tests/models/toymodel.yaml. The events are random, from a
fixed seed. This script declares the classes that podio would generate.
"""

import json
import random
import re
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import ROOT
import yaml

HERE = Path(__file__).resolve().parent
MODEL = yaml.safe_load((HERE.parents[1] / "models" / "toymodel.yaml").read_text())
VERSION = (1, 7, 0)
MODEL_VERSION = (2, 1, 3)
SUFFIXES = {"int": "Int", "float": "Float", "double": "Double", "string": "String"}
CPP = {"int": "int", "float": "float", "double": "double", "string": "std::string"}
COLLECTIONS = {  # of each category: name and type of the objects
    "events": {
        "Hits": "toy::Hit",
        "Links": "toy::HitParticleLink",
        "noise": "float",
        "NoTracks": "toy::Track",
        "Particles": "toy::Particle",
        "Selected": "toy::Particle",
        "Strips": "toy::Strip",
        "Tracks": "toy::Track",
        "words": "uint16_t",
    },
    "runs": {"luminosity": "double"},
}
SUBSETS = {"Selected"}
OLD_INFO = "std::tuple<uint32_t, std::string, bool, unsigned>"
NTUPLE_OF_VECTORS = """
#include <ROOT/RNTupleWriter.hxx>
#include <TFile.h>
class NTupleOfVectors {
public:
  NTupleOfVectors(TFile& file, const std::string& name, const std::vector<std::string>& fields,
                  const std::vector<std::string>& types) : m_fields(fields) {
    auto model = ROOT::RNTupleModel::CreateBare();
    for (std::size_t i = 0; i < fields.size(); ++i)
      model->AddField(ROOT::RFieldBase::Create(fields[i], types[i]).Unwrap());
    m_writer = ROOT::RNTupleWriter::Append(std::move(model), name, file);
  }
  void fill(const std::vector<std::uintptr_t>& addresses) {
    const auto entry = m_writer->GetModel().CreateBareEntry();
    for (std::size_t i = 0; i < m_fields.size(); ++i)
      entry->BindRawPtr(m_fields[i], reinterpret_cast<void*>(addresses[i]));
    m_writer->Fill(*entry);
  }
  void commit() { m_writer->CommitCluster(); }
  void finish() { m_writer.reset(); }
private:
  std::vector<std::string> m_fields;
  std::unique_ptr<ROOT::RNTupleWriter> m_writer;
};
"""
ENTRIES = {"events": 9, "runs": 2}
CLUSTER = 5  # entries of a cluster


def lines(of, key):
    """Yield the type and name of each member of a type."""
    for line in of.get(key, []):
        kind, name = re.match(r"(.*[ >])(\w+)", re.split(r"[\[{]|//", line)[0].strip()).groups()
        yield kind.strip(), name


def structs():
    """Return the C++ code of podio's own structs."""
    begin = """#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>
namespace podio {
struct ObjectID { int index; unsigned collectionID; };
struct LinkData { float weight; };
struct CollectionIDTable {
  std::vector<uint32_t> m_collectionIDs; std::vector<std::string> m_names;
};
namespace version { struct Version { uint16_t major, minor, patch; }; }
namespace root_utils {
struct CollectionWriteInfo {
  uint32_t collectionID; std::string dataType; bool isSubset; unsigned schemaVersion;
  std::string name; std::string storageType;
};
}
}
"""
    text = [begin]
    for name, component in MODEL["components"].items():
        members = "".join(f"{kind} {member}; " for kind, member in lines(component, "Members"))
        text.append(f"namespace toy {{ struct {name[5:]} {{ {members}}}; }}\n")
    for name, datatype in MODEL["datatypes"].items():
        members = "".join(f"{kind} {member}; " for kind, member in lines(datatype, "Members"))
        for key in ("VectorMembers", "OneToManyRelations"):
            members += "".join(
                f"unsigned {member}_begin; unsigned {member}_end; "
                for _, member in lines(datatype, key)
            )
        text.append(f"namespace toy {{ struct {name[5:]}Data {{ {members}}}; }}\n")
    return "".join(text)


def load_structs(folder):
    """Compile the dictionaries that ROOT needs."""
    (folder / "structs.h").write_text(structs())
    plain = ["podio::ObjectID", "podio::LinkData", "podio::root_utils::CollectionWriteInfo"]
    plain += [f"toy::{name[5:]}Data" for name in MODEL["datatypes"]] + list(MODEL["components"])
    vectors = [f"std::vector<{name}>" for name in plain]
    others = ["podio::CollectionIDTable", f"std::vector<{OLD_INFO}>", OLD_INFO]
    others += ["podio::version::Version", "std::tuple<std::string, std::string>"]
    others += ["std::vector<std::tuple<std::string, std::string>>"]
    others += [f"std::vector<std::vector<{cpp}>>" for cpp in CPP.values()]
    pragmas = "".join(f"#pragma link C++ class {name}+;\n" for name in plain + vectors + others)
    (folder / "LinkDef.h").write_text(pragmas)
    package = Path(ROOT.__file__).parent
    subprocess.run(
        [package / "bin" / "rootcling", "-f", "dict.cxx", "structs.h", "LinkDef.h"],
        cwd=folder,
        check=True,
    )
    command = ["g++", "-std=c++17", "-O1", "-fPIC", "-shared", "dict.cxx", "-o", "libtoy.so"]
    subprocess.run(
        [*command, f"-I{package}/include", f"-L{package}/lib", "-lCore"], cwd=folder, check=True
    )
    ROOT.gSystem.Load(str(folder / "libtoy.so"))
    ROOT.gInterpreter.Declare(NTUPLE_OF_VECTORS)


def murmur3(name):
    """Return podio's id of a collection."""

    def rotated(value, bits):
        return ((value << bits) | (value >> (32 - bits))) & 0xFFFFFFFF

    data, result = name.encode(), 0
    for at in range(0, len(data), 4):
        block = int.from_bytes(data[at : at + 4], "little") * 0xCC9E2D51 & 0xFFFFFFFF
        result ^= rotated(block, 15) * 0x1B873593 & 0xFFFFFFFF
        if at + 4 <= len(data):
            result = (rotated(result, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    result ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        result = (result ^ (result >> shift)) * factor & 0xFFFFFFFF
    return result ^ (result >> 16)


def collection_type(name, kind):
    """Return podio's type of a collection, its value type and its storage type."""
    if kind in MODEL["links"]:
        link = MODEL["links"][kind]
        ends = f"<{link['From']},{link['To']}>"
        return f"podio::LinkCollection{ends}", f"podio::Link{ends}", "podio::LinkData"
    if kind in MODEL["datatypes"]:
        return f"{kind}Collection", kind, f"{kind}Data"
    return f"podio::UserDataCollection<{kind}>", kind, kind


def relations(kind):
    """Return the relations of a type, in podio's order: name, targets, and whether to many."""
    if kind in MODEL["links"]:
        link = MODEL["links"][kind]
        return [("from", link["From"], False), ("to", link["To"], False)]
    datatype = MODEL["datatypes"].get(kind, {})
    return [(name, to, True) for to, name in lines(datatype, "OneToManyRelations")] + [
        (name, to, False) for to, name in lines(datatype, "OneToOneRelations")
    ]


def value(rng, kind):
    """Return a value of a member, as a dictionary of leaf names."""
    if array := re.fullmatch(r"std::array<(.*), (\d+)>", kind):
        elements = [value(rng, array[1]) for _ in range(int(array[2]))]
        if array[1] not in MODEL["components"]:
            return {"": [element[""] for element in elements]}
        return {f".{i}{leaf}": v for i, each in enumerate(elements) for leaf, v in each.items()}
    if kind in MODEL["components"]:
        return values(rng, MODEL["components"][kind], ".")
    if kind == "bool":
        return {"": rng.random() < 0.5}
    if kind in ("float", "double"):
        return {"": rng.randrange(-4000, 4000) / 64}
    bits = int(re.search(r"\d+", kind)[0])
    return {"": rng.randrange(2**bits) - (0 if "uint" in kind else 2 ** (bits - 1))}


def values(rng, struct, prefix=""):
    """Return the values of all members of a struct, as a dictionary of leaf names."""
    return {
        prefix + name + leaf: v
        for kind, name in lines(struct, "Members")
        for leaf, v in value(rng, kind).items()
    }


def make_objects(rng, name, kind, entry):
    """Return the objects of a collection in an entry, without relations."""
    count = 0 if name == "NoTracks" or entry == 2 else rng.randrange(1, 6)
    objects = [{"values": {}, "vectors": {}, "relations": {}} for _ in range(count)]
    for each in objects:
        if kind in MODEL["links"]:
            each["values"] = {"weight": rng.randrange(64) / 64}
        elif kind not in MODEL["datatypes"]:
            each["values"] = {"values": value(rng, kind)[""]}
        elif name not in SUBSETS:
            each["values"] = values(rng, MODEL["datatypes"][kind])
            for element, vector in lines(MODEL["datatypes"][kind], "VectorMembers"):
                each["vectors"][vector] = [value(rng, element) for _ in range(rng.randrange(4))]
    return objects


def relate(rng, category, entry):
    """Give the objects of an entry their relations: lists of (collection, index)."""
    names = sorted(category)
    for name, kind in category.items():
        wanted = [("objects", kind, False)] if name in SUBSETS else relations(kind)
        for each in entry[name]:
            for relation, target, many in wanted:
                types = MODEL["interfaces"].get(target, {"Types": [target]})["Types"]
                targets = [
                    (names.index(other), index)
                    for other in names
                    if category[other] in types and other not in SUBSETS
                    for index in range(len(entry[other]))
                ]
                count = rng.randrange(4) if many else rng.random() < 0.75 or name in SUBSETS
                unset = [] if many else [(-1, -1)]
                found = [rng.choice(targets) for _ in range(count) if targets]
                each["relations"][relation] = found or unset


def make_parameters(rng, entry):
    parameters = {
        "int": {"number": [entry], "none": [], "same": [1, 2, -3]},
        "float": {"fractions": [rng.randrange(64) / 64 for _ in range(entry)]},
        "double": {"weight": [0.1 * entry]},
        "string": {"same": ["text"], "words": ["", "µ → e γ", f"event {entry}"]},
    }
    if entry % 2:
        parameters["int"]["odd"] = [entry]
        del parameters["string"]["words"]
    return parameters


def columns_of(rows):
    return {leaf: [row[leaf] for row in rows] for leaf in (rows[0] if rows else {})}


def leaf_names(rng, name, kind):
    """Return the names of the columns of a collection that may have no objects."""
    if kind in MODEL["datatypes"]:
        return [] if name in SUBSETS else list(values(rng, MODEL["datatypes"][kind]))
    return ["weight"] if kind in MODEL["links"] else ["values"]


def description(category, entries, parameters):
    """Return the contents of a category, in the form of the JSON."""
    collections = {}
    for name, kind in category.items():
        objects = [each for entry in entries for each in entry[name]]
        type_, value_type, _ = collection_type(name, kind)
        wanted = [("objects", kind, False)] if name in SUBSETS else relations(kind)
        vectors = (
            [] if name in SUBSETS else lines(MODEL["datatypes"].get(kind, {}), "VectorMembers")
        )
        any_rng = random.Random(0)
        collections[name] = {
            "type": type_,
            "value_type": value_type,
            "id": murmur3(name),
            "subset": name in SUBSETS,
            "schema_version": MODEL["schema_version"] if kind in MODEL["datatypes"] else 1,
            "sizes": [len(entry[name]) for entry in entries],
            "columns": {
                leaf: [each["values"][leaf] for each in objects]
                for leaf in leaf_names(any_rng, name, kind)
            },
            "vectors": {
                vector: {
                    "sizes": [len(each["vectors"][vector]) for each in objects],
                    "columns": {
                        leaf.lstrip("."): [
                            row[leaf] for each in objects for row in each["vectors"][vector]
                        ]
                        for leaf in value(any_rng, element)
                    },
                }
                for element, vector in vectors
            },
            "relations": {
                relation: {
                    "many": many,
                    **(
                        {"sizes": [len(each["relations"][relation]) for each in objects]}
                        if many
                        else {}
                    ),
                    "collection": [to for each in objects for to, _ in each["relations"][relation]],
                    "index": [
                        index for each in objects for _, index in each["relations"][relation]
                    ],
                }
                for relation, _, many in wanted
            },
        }
    return {
        "entries": len(entries),
        "collection_names": sorted(category),
        "parameters": parameters,
        "collections": collections,
    }


def set_leaves(struct, leaves):
    """Set members by the names of their leaves: "vertex.x", "ends.1.y"."""
    for leaf, v in leaves.items():
        *path, last = leaf.strip(".").split(".")
        part = struct
        for step in path:
            part = part[int(step)] if step.isdigit() else getattr(part, step)
        if isinstance(v, list):
            for i, element in enumerate(v):
                getattr(part, last)[i] = element
        else:
            setattr(part, last, v)


class CategoryVectors:
    """The vectors that podio writes for a category, in its order."""

    def __init__(self, category):
        self.category = category
        self.names = sorted(category)
        self.vectors = {}
        for name in sorted(category, key=str.lower):
            kind = category[name]
            if name in SUBSETS:
                self.add(f"{name}_objIdx", "podio::ObjectID")
                continue
            self.add(name, collection_type(name, kind)[2])
            for relation, _, _ in relations(kind):
                self.add(f"_{name}_{relation}", "podio::ObjectID")
            for element, vector in lines(MODEL["datatypes"].get(kind, {}), "VectorMembers"):
                self.add(f"_{name}_{vector}", element)
        for type_, suffix in SUFFIXES.items():
            self.add(f"GP{suffix}Keys", "std::string")
            self.add(f"GP{suffix}Values", f"std::vector<{CPP[type_]}>")

    def add(self, name, element):
        self.vectors[name] = ROOT.std.vector[element]()

    def fill(self, entry, parameters):
        for vector in self.vectors.values():
            vector.clear()
        for name, kind in self.category.items():
            for each in entry[name]:
                self.add_object(name, kind, each)
        for type_, suffix in SUFFIXES.items():
            for key, listed in sorted(parameters[type_].items()):
                self.vectors[f"GP{suffix}Keys"].push_back(key)
                self.vectors[f"GP{suffix}Values"].push_back(ROOT.std.vector[CPP[type_]](listed))

    def add_object(self, name, kind, each):
        side_name = f"{name}_objIdx" if name in SUBSETS else None
        leaves = dict(each["values"])
        for vector, rows in each["vectors"].items():
            side = self.vectors[f"_{name}_{vector}"]
            leaves[f"{vector}_begin"] = side.size()
            for row in rows:
                if "" in row:
                    side.push_back(row[""])
                else:
                    side.resize(side.size() + 1)
                    set_leaves(side[side.size() - 1], row)
            leaves[f"{vector}_end"] = side.size()
        for relation, references in each["relations"].items():
            side = self.vectors[side_name or f"_{name}_{relation}"]
            is_many = (relation, True) in [(known, many) for known, _, many in relations(kind)]
            if is_many:
                leaves[f"{relation}_begin"] = side.size()
                leaves[f"{relation}_end"] = side.size() + len(references)
            for to, index in references:
                target = murmur3(self.names[to]) if to >= 0 else 0
                side.push_back(ROOT.podio.ObjectID(index if to >= 0 else -2, target))
        if side_name:
            return
        if "values" in leaves:
            self.vectors[name].push_back(leaves["values"])
            return
        self.vectors[name].resize(self.vectors[name].size() + 1)
        set_leaves(self.vectors[name][self.vectors[name].size() - 1], leaves)


def schema_version(kind):
    return MODEL["schema_version"] if kind in MODEL["datatypes"] else 1


def infos(collections):
    """Return the entry of podio_metadata about the collections of a category."""
    all_infos = ROOT.std.vector["podio::root_utils::CollectionWriteInfo"]()
    for name, kind in collections.items():
        info = ROOT.podio.root_utils.CollectionWriteInfo()
        info.collectionID = murmur3(name)
        info.dataType, _, storage = collection_type(name, kind)
        info.isSubset = name in SUBSETS
        info.schemaVersion = schema_version(kind)
        info.name = name
        info.storageType = f"std::vector<{storage}>"
        all_infos.push_back(info)
    return all_infos


def old_infos(collections):
    """Return the same in the form of podio 1.2, and the names of the collections."""
    all_infos, names = ROOT.std.vector[OLD_INFO](), ROOT.podio.CollectionIDTable()
    for name, kind in collections.items():
        type_ = collection_type(name, kind)[0]
        all_infos.push_back(
            ROOT.std.make_tuple["uint32_t", "std::string", "bool", "unsigned"](
                murmur3(name), type_, name in SUBSETS, schema_version(kind)
            )
        )
        names.m_collectionIDs.push_back(murmur3(name))
        names.m_names.push_back(name)
    return all_infos, names


def file_metadata(categories, is_old=False):
    """Return the contents of podio_metadata, without the versions."""
    of_file = {}
    for category in categories:
        key = f"{category}___CollectionTypeInfo"
        if is_old:
            of_file[key], of_file[f"{category}___idTable"] = old_infos(COLLECTIONS[category])
        else:
            of_file[key] = infos(COLLECTIONS[category])
    pairs = ROOT.std.vector["std::tuple<std::string, std::string>"]()
    definition = dict(MODEL, options=dict(MODEL["options"], includeSubfolder="toy/"))
    texts = [ROOT.std.string(text) for text in ("toymodel", json.dumps(definition))]
    pairs.push_back(ROOT.std.make_tuple(*texts))
    return {**of_file, "EDMDefinitions": pairs}


def write_trees(path, contents):
    file = ROOT.TFile(str(path), "RECREATE")
    for name, entries in contents.items():
        of_category = CategoryVectors(COLLECTIONS[name])
        tree = ROOT.TTree(name, f"{name} tree")
        tree.SetAutoFlush(CLUSTER)
        for branch, vector in of_category.vectors.items():
            tree.Branch(branch, vector)
        for entry, parameters in entries:
            of_category.fill(entry, parameters)
            tree.Fill()
        tree.Write()
    tree = ROOT.TTree("podio_metadata", "metadata tree for podio I/O functionality")
    metadata = file_metadata(contents)
    versions = {"PodioBuildVersion": VERSION, "toymodel___Version": MODEL_VERSION}
    metadata |= {name: ROOT.podio.version.Version(*parts) for name, parts in versions.items()}
    for branch, of_file in metadata.items():
        tree.Branch(branch, of_file)
    tree.Fill()
    tree.Write()
    file.Close()


def write_ntuple(file, name, vectors, entries):
    """Write an RNTuple of vectors; each of the entries fills them in turn."""
    types = [type(vector).__cpp_name__ for vector in vectors.values()]
    ntuple = ROOT.NTupleOfVectors(file, name, list(vectors), types)
    for number, fill in enumerate(entries):
        if number and number % CLUSTER == 0:
            ntuple.commit()
        fill()
        ntuple.fill([ROOT.addressof(vector) for vector in vectors.values()])
    ntuple.finish()


def write_ntuples(path, contents, is_old=False):
    file = ROOT.TFile(str(path), "RECREATE")
    for name, entries in contents.items():
        of_category = CategoryVectors(COLLECTIONS[name])
        fills = (partial(of_category.fill, *entry) for entry in entries)
        write_ntuple(file, name, of_category.vectors, fills)
    metadata = file_metadata(contents, is_old)
    versions = {"PodioBuildVersion": VERSION, "toymodel___Version": MODEL_VERSION}
    for name, parts in versions.items():
        metadata[name] = ROOT.std.vector["std::uint16_t"](parts)
    metadata["availableCategories"] = ROOT.std.vector["std::string"](list(contents))
    write_ntuple(file, "podio_metadata", metadata, [lambda: None])
    file.Close()


def main():
    rng = random.Random(7)
    contents, described = {}, {}
    for name, category in COLLECTIONS.items():
        entries = []
        for number in range(ENTRIES[name]):
            entry = {n: make_objects(rng, n, kind, number) for n, kind in category.items()}
            relate(rng, category, entry)
            entries.append((entry, make_parameters(rng, number)))
        contents[name] = entries
        described[name] = description(category, *map(list, zip(*entries, strict=True)))
    whole = {
        "podio_version": VERSION,
        "models": {"toymodel": MODEL_VERSION},
        "categories": described,
    }
    (HERE / "toy.json").write_text(json.dumps(whole, separators=(",", ":")) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        load_structs(Path(folder))
        write_trees(HERE / "toy.ttree.root", contents)
        write_ntuples(HERE / "toy.rntuple.root", contents)
        write_ntuples(HERE / "toy_old.rntuple.root", {"runs": contents["runs"]}, is_old=True)


if __name__ == "__main__":
    main()
