#pragma once

#include <kaon/dataset/MissingData.h>
#include <kaon/detail/batch/WrappedFile.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

class FriendSource;

} // namespace detail

/// A category of another file whose columns are read as if they were in this file.
struct Friend {
  std::string name; ///< prefix of its columns: "calibration" for "calibration.Muon.pt"
  std::shared_ptr<const File> file;
  std::string category;
  /// The keys that identify its entries. Empty: both files have the same entries in the same order.
  std::vector<std::string> keys = {};
  WithoutPartner withoutPartner = WithoutPartner::isError;
};

/// A file with friends of one of its categories. Frames, batches, loops and dataframes read the
/// friends' columns like columns of the file.
///
///   const kaon::Friend calibration{"calibration", kaon::open("b.root"), "events",
///                                  {"run", "event"}}; // the keys of an event in both
///   auto joined = std::make_shared<kaon::FileWithFriends>(
///       kaon::open("events.kaon"), "events", std::vector{calibration});
///   for (auto [pt, scale] : kaon::Reader(joined)["events"].each<Array<float>, float>(
///            "Muon.pt", "calibration.scale"))
class FileWithFriends final : public detail::WrappedFile {
public:
  /// Throws Error(name) for an unknown category or key, and Error(type) for a key that is no
  /// integer. Throws Error(usage) for
  /// - a friend whose name is empty or already used in the file,
  /// - a friend without keys that has another number of entries,
  /// - an entry without a partner, if this is an error.
  FileWithFriends(std::shared_ptr<const File> file, std::string category,
                  std::vector<Friend> friends);
  ~FileWithFriends() override;

  [[nodiscard]] const Source& category(std::string_view name) const override;

private:
  std::string m_category;
  std::vector<Friend> m_friends;
  std::vector<std::unique_ptr<const detail::FriendSource>>
      m_sources; // each includes the friends before it
};

} // namespace kaon
