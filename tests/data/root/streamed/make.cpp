#include "Streamed.h"

#include <TBuffer.h>
#include <TFile.h>
#include <TTree.h>

#include <cstring>

ClassImp(JDAQSnapshotHit);
ClassImp(JDAQTriggerMask);
ClassImp(JDAQTriggeredHit);
ClassImp(Status);
ClassImp(JDAQFrame);
ClassImp(JDAQEvent);

namespace {

void writeHit(TBuffer& buffer, const JDAQSnapshotHit& hit) {
  char time[4];
  std::memcpy(time, &hit.time, sizeof time); // in the order of the machine: little-endian
  buffer << hit.dom_id << hit.channel_id;
  buffer.WriteFastArray(time, 4);
  buffer << hit.tot;
}

void fill(JDAQSnapshotHit& hit, int number) {
  hit.dom_id = 1000 + number;
  hit.channel_id = static_cast<std::uint8_t>(number);
  hit.time = 1'000'000u * number + 5;
  hit.tot = static_cast<std::uint8_t>(3 * number);
}

} // namespace

void JDAQSnapshotHit::Streamer(TBuffer& buffer) {
  if (buffer.IsWriting())
    writeHit(buffer, *this);
}

void JDAQTriggeredHit::Streamer(TBuffer& buffer) {
  if (!buffer.IsWriting())
    return;
  writeHit(buffer, *this);
  JDAQTriggerMask::Streamer(buffer); // with a header
}

/// Writes a header, a number, two unused bytes, its digits behind their count, as many halves as
/// the number says, three bytes, a text, and squares up to the end.
void Status::Streamer(TBuffer& buffer) {
  if (!buffer.IsWriting())
    return;
  const UInt_t start = buffer.WriteVersion(Status::IsA(), kTRUE);
  buffer << static_cast<Short_t>(number) << static_cast<Short_t>(-1);
  const TString digits = TString::Format("%d", number);
  buffer << static_cast<UShort_t>(digits.Length());
  for (int i = 0; i < digits.Length(); ++i)
    buffer << static_cast<Char_t>(digits[i] - '0');
  for (int i = 0; i < number; ++i)
    buffer << 0.5f * i;
  for (int i = 0; i < 3; ++i)
    buffer << static_cast<UChar_t>(i);
  TString text = TString::Format("status %d", number);
  text.Streamer(buffer);
  for (int i = 0; i < number; ++i)
    buffer << static_cast<Double_t>(i * i);
  buffer.SetByteCount(start, kTRUE);
}

int main(int, char** argv) {
  TFile file(argv[1], "recreate", "", 0); // not compressed, so that damage reaches the values
  for (const int split : {0, 99}) {
    TTree tree(split == 0 ? "whole" : "KM3NET_EVENT", "");
    JDAQEvent event;
    Status status;
    JDAQEvent* const pointer = &event;
    tree.Branch("event", pointer, 32000, split);
    tree.Branch("status", &status, 32000, split);
    for (int entry = 0; entry < 5; ++entry) {
      event.number = entry;
      event.snapshotHits.assign(entry, {});
      event.triggeredHits.assign(entry % 2, {});
      for (int i = 0; i < entry; ++i)
        fill(event.snapshotHits[i], 10 * entry + i);
      for (JDAQTriggeredHit& trigger : event.triggeredHits) {
        fill(trigger, entry);
        trigger.trigger_mask = 1ull << (40 + entry);
      }
      event.frames.resize(2);
      for (int i = 0; i < 2; ++i) {
        JDAQFrame& frame = event.frames[i];
        frame.id = 100 + i;
        frame.numberOfHits = entry + i;
        delete[] frame.buffer;
        frame.buffer = new JDAQSnapshotHit[frame.numberOfHits];
        for (int k = 0; k < frame.numberOfHits; ++k)
          fill(frame.buffer[k], k);
        frame.status = -i;
      }
      event.status.number = status.number = entry;
      tree.Fill();
    }
    tree.Write();
  }
}
