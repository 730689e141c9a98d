#include <kaon/math/MomentumMembers.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

namespace kaon::detail {
namespace {

/// A component, and its spellings as plain() returns them. The first that objects have counts.
struct Spellings {
  std::string_view component;
  std::array<std::string_view, 4> spellings;
};
constexpr Spellings componentSpellings[] = {{"px", {"px", "momentum.x", "p.x", "coordinates.x"}},
                                            {"py", {"py", "momentum.y", "p.y", "coordinates.y"}},
                                            {"pz", {"pz", "momentum.z", "p.z", "coordinates.z"}},
                                            {"pt", {"pt", "coordinates.pt"}},
                                            {"eta", {"eta", "coordinates.eta"}},
                                            {"phi", {"phi", "coordinates.phi"}},
                                            {"E", {"e", "energy", "coordinates.t"}},
                                            {"mass", {"mass", "m", "coordinates.m"}}};

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// Returns a name in small letters, without the `f` of ROOT's members: "p.x" for "fP.fX".
std::string plain(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool isFirst = i == 0 || name[i - 1] == '.';
    if (isFirst && name[i] == 'f' && i + 1 < name.size() && isUpper(name[i + 1]))
      continue;
    result.push_back(isUpper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i]);
  }
  return result;
}

/// The names of members by their plain spelling. Names that differ only in capital letters are
/// empty.
using Plain = std::map<std::string, std::string, std::less<>>;

Plain plainNames(std::span<const std::string> names) {
  Plain result;
  for (const std::string& name : names)
    if (const auto [place, isNew] = result.try_emplace(plain(name), name);
        !isNew && place->second != name)
      place->second.clear();
  return result;
}

std::string found(const Plain& names, std::string_view spelling) {
  const auto place = names.find(spelling);
  return place == names.end() ? std::string() : place->second;
}

/// Whether these members make a whole four-momentum.
bool isComplete(const MomentumMembers& momentum) {
  const auto has = [&](std::initializer_list<std::string_view> components) {
    return std::ranges::all_of(components, [&](auto each) { return !momentum.of(each).empty(); });
  };
  return (has({"px", "py", "pz"}) || has({"pt", "eta", "phi"})) && (has({"E"}) || has({"mass"}));
}

/// Returns the prefix of a name that ends with a component's spelling: "mu_" of "mu_pt".
std::optional<std::string> prefixOf(std::string_view name, std::string_view spelling) {
  if (name.size() <= spelling.size() || name.find('.') != std::string_view::npos)
    return std::nullopt;
  const std::size_t at = name.size() - spelling.size();
  const bool isWord = name[at - 1] == '_' || (isUpper(name[at]) && !isUpper(name[at - 1]));
  if (!isWord || plain(name.substr(at)) != spelling)
    return std::nullopt;
  return std::string(name.substr(0, at));
}

/// Returns the four-momentum whose members share a prefix, if there is exactly one.
MomentumMembers withPrefix(std::span<const std::string> names) {
  std::map<std::string, MomentumMembers> momenta;
  for (const auto& [component, spellings] : componentSpellings)
    for (const std::string_view spelling : spellings)
      for (const std::string& name : names)
        if (const auto prefix = spelling.empty() ? std::nullopt : prefixOf(name, spelling))
          if (MomentumMembers& momentum = momenta[*prefix]; momentum.of(component).empty())
            momentum.members.push_back({component, name});
  std::erase_if(momenta, [](const auto& each) { return !isComplete(each.second); });
  return momenta.size() == 1 ? std::move(momenta.begin()->second) : MomentumMembers();
}

} // namespace

std::string_view MomentumMembers::of(std::string_view component) const noexcept {
  const auto place = std::ranges::find(members, component, &MomentumMember::component);
  return place == members.end() ? std::string_view() : std::string_view(place->member);
}

MomentumMembers momentumMembers(std::span<const std::string> names) {
  const Plain plain = plainNames(names);
  MomentumMembers result;
  const auto take = [&](std::string_view component, std::string member) {
    if (!member.empty() && result.of(component).empty())
      result.members.push_back({component, std::move(member)});
  };
  const auto has = [&](std::string_view component) { return !result.of(component).empty(); };
  for (const auto& [component, spellings] : componentSpellings) {
    if (std::ranges::find(names, component) != names.end())
      take(component, std::string(component));
    for (const std::string_view spelling : spellings)
      if (!spelling.empty())
        take(component, found(plain, spelling));
  }
  if (!has("pt") && !has("px") && !has("mass") && has("eta") && has("phi")) {
    for (const std::string_view transverseEnergy : {"et", "met"})
      take("pt", found(plain, transverseEnergy));
    result.isMassless = has("pt");
  }
  if (!has("pt") && !has("px"))
    if (MomentumMembers prefixed = withPrefix(names); !prefixed.members.empty())
      return prefixed;
  if (!has("mass") && !has("E") && !result.isMassless)
    for (const std::string_view number : {"pid", "pdgid", "pdg"})
      take("particle", found(plain, number));
  return result;
}

} // namespace kaon::detail
