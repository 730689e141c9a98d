#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/ntuple/Mapping.h>

#include <memory>
#include <span>

namespace kaon::root {

/// An RNTuple as columns. Mapping.h says which tables its fields become.
class NTupleSource : public Source {
public:
  /// The fields that are left out, by themselves, and why. All others are read.
  [[nodiscard]] virtual std::span<const UnreadableField> unreadable() const noexcept = 0;
};

/// Reads what describes an RNTuple: its anchor, header, footer and page lists. The container must
/// outlive the source. Throws Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<Source> openNTuple(const Container& container,
                                                 const ListedObject& object);

} // namespace kaon::root
