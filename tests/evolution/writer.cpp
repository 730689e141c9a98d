// Writes the files of EvolutionTest with the classes of version 1 of the model: DIR/<layout>.kaon
// for each layout.

#include "detector/detector.h"

#include <kaon/kaon.h>

#include <array>
#include <iostream>
#include <string>

namespace {

void fillNumbers(evo::NumbersCollection& numbers, int event) {
  for (std::int16_t i = 0; i < 2; ++i) {
    auto object = numbers.create();
    object.wider(static_cast<std::int16_t>(-i - 1));
    object.finer(0.1F);
    object.real(1000 + i);
    object.whole(-5. + event);
    object.narrower(i == 1 && event == 2 ? 200 : 100);
    object.flag(i == 1);
    object.truth(i);
    object.many({1, 2, 3 + i});
    object.alone(9);
    object.one(std::array{2.5F});
    object.cell({i, 0.5F});
    for (std::int16_t k = 0; k <= i; ++k) {
      object.addcounts(static_cast<std::int16_t>(10 * event + k));
      object.addcells({k, 1.5F});
    }
  }
}

kaon::Frame makeFrame(int event) {
  kaon::Frame frame;
  evo::MembersCollection members;
  members.create(1, 2, 3.F, evo::Place{4.F, 5.F, 6.F});
  members.create(10 + event, 20, 30.F, evo::Place{40.F, 50.F, 60.F});

  evo::NumbersCollection numbers;
  fillNumbers(numbers, event);

  evo::OldNameCollection old;
  old.create(42 + event);
  evo::OldNameCollection chosen;
  chosen.setSubsetCollection();
  chosen.push_back(old[0]);
  evo::NamesCollection names;
  for (int i = 0; i < 2; ++i) {
    auto object = names.create();
    object.a(i + event);
    object.p({1.F, 2.F});
    object.ends({evo::Old{3.F, 4.F}, evo::Old{5.F, 6.F}});
    object.addhits({7.F, 8.F});
    object.addweights(0.25F);
    object.mother(names[0]);
    object.addlinks(old[0]);
  }

  evo::ListsCollection lists;
  auto list = lists.create();
  list.number(event);
  list.adddropped(1.F);
  list.addkept(event);
  list.addkept(2);
  list.droppedOne(members[0]);
  list.addkeptMany(members[1]);

  evo::ValuesCollection values;
  values.create(3.F, 4);
  evo::ImpossibleCollection impossible;
  impossible.create();
  evo::TargetCollection targets;
  targets.create().target(members[0]);

  evo::OptionalsCollection optionals;
  optionals.create(2.5F, std::optional<float>());
  optionals.create(0.F, std::optional(3.5F));

  evo::AssociationCollection associations;
  auto association = associations.create(0.5F);
  association.rec(members[1]);
  association.sim(values[0]);

  frame.put(std::move(lists), "Lists"); // first: version 3 adds further tables before all others
  frame.put(std::move(associations), "Links");
  frame.put(std::move(optionals), "Optionals");
  frame.put(std::move(members), "Members");
  frame.put(std::move(numbers), "Numbers");
  frame.put(std::move(old), "Renamed");
  frame.put(std::move(chosen), "Chosen");
  frame.put(std::move(names), "Names");
  frame.put(std::move(values), "Values");
  frame.put(std::move(impossible), "Impossible");
  frame.put(std::move(targets), "Targets");
  return frame;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " DIR\n";
    return 2;
  }
  for (const auto layout : {kaon::Layout::split, kaon::Layout::member, kaon::Layout::row}) {
    std::string path = argv[1];
    path.append("/").append(kaon::layoutName(layout)).append(".kaon");
    kaon::Writer writer(path, {.layout = layout, .clusterEntries = 2});
    for (int event = 0; event < 3; ++event)
      writer.write(makeFrame(event), "events");
    writer.finish();
  }
}
