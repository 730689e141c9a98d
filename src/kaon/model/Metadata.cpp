#include <kaon/model/Metadata.h>

#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <limits>
#include <set>

namespace kaon {
namespace {

using JsonValues = std::vector<const Json*>;

constexpr std::string_view usualRule = "same";

[[noreturn]] void failDiffer(std::string_view name, const Json& a, const Json& b) {
  fail(ErrorKind::usage, "the metadata '", name, "' differ: ", a.sortedText(), " and ",
       b.sortedText(), "; set a rule for merging");
}

[[noreturn]] void failRule(std::string_view name, const JsonValues& values,
                           std::string_view wanted) {
  std::string texts;
  for (const Json* const value : values)
    texts.append(texts.empty() ? "" : " and ").append(value->sortedText());
  fail(ErrorKind::type, "the metadata '", name, "' have a rule for ", wanted, ", not for ", texts);
}

static_assert(std::numeric_limits<long double>::digits >= 64, "whole numbers are added up in it");

/// Returns a number of at most 64 bits.
std::optional<long double> numberOf(const Json& value) {
  if (const auto* const number = value.as<std::int64_t>())
    return static_cast<long double>(*number);
  if (const auto* const number = value.as<std::uint64_t>())
    return static_cast<long double>(*number);
  if (const auto* const number = value.as<double>())
    return static_cast<long double>(*number);
  return std::nullopt;
}

bool areNumbers(const JsonValues& values) {
  return std::ranges::all_of(values,
                             [](const Json* value) { return numberOf(*value).has_value(); });
}

Json same(const JsonValues& values, std::string_view name) {
  for (const Json* const value : values)
    if (value->sortedText() != values.front()->sortedText())
      failDiffer(name, *values.front(), *value);
  return *values.front();
}

/// Returns the sum of numbers. The sum of whole numbers is a whole number.
Json sum(const JsonValues& values, std::string_view name) {
  if (!areNumbers(values))
    failRule(name, values, "numbers");
  Json total = *values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Json& next = *values[i];
    if (total.as<double>() || next.as<double>()) {
      total = static_cast<double>(*numberOf(total)) + static_cast<double>(*numberOf(next));
      continue;
    }
    const long double exact = *numberOf(total) + *numberOf(next);
    if (exact < -0x1p63L || exact >= 0x1p64L)
      fail(ErrorKind::type, "the sum of the metadata '", name, "' has more than 64 bits");
    total = exact < 0 ? Json(static_cast<std::int64_t>(exact))
                      : Json(static_cast<std::uint64_t>(exact));
  }
  return total;
}

/// Returns the least or the greatest value; of equal ones the first.
Json extreme(const JsonValues& values, std::string_view name, bool isGreatest) {
  const bool areTexts = std::ranges::all_of(
      values, [](const Json* value) { return value->as<std::string>() != nullptr; });
  if (!areTexts && !areNumbers(values))
    failRule(name, values, "numbers, or strings");
  const auto isLess = [&](const Json* a, const Json* b) {
    return areTexts ? *a->as<std::string>() < *b->as<std::string>() : *numberOf(*a) < *numberOf(*b);
  };
  const Json* best = values.front();
  for (const Json* const value : values)
    if (isGreatest ? isLess(best, value) : isLess(value, best))
      best = value;
  return *best;
}

Json listOf(const JsonValues& values, bool eachOnce) {
  Json::List all;
  std::set<std::string> known;
  const auto add = [&](const Json& item) {
    if (!eachOnce || known.insert(item.sortedText()).second)
      all.push_back(item);
  };
  for (const Json* const value : values) {
    if (const auto* const list = value->as<Json::List>())
      std::ranges::for_each(*list, add);
    else
      add(*value);
  }
  return all;
}

/// The maximum of nested lists and entries in a value. Together with the levels of the document, it
/// stays below the limit for reading.
constexpr std::size_t mostNesting = 90;

bool isDeeperThan(std::size_t depth, const Json& value) {
  const auto isDeeper = [&](const Json& item) {
    return depth == 0 || isDeeperThan(depth - 1, item);
  };
  if (const auto* const list = value.as<Json::List>())
    return std::ranges::any_of(*list, isDeeper);
  if (const auto* const entries = value.as<Json::Entries>())
    return std::ranges::any_of(*entries, isDeeper, &detail::JsonEntry::value);
  return false;
}

struct Rule {
  std::string_view name;
  Json (*merged)(const JsonValues& values, std::string_view name);
};

constexpr Rule rules[] = {
    {usualRule, same},
    {"first", [](const JsonValues& values, std::string_view) { return *values.front(); }},
    {"last", [](const JsonValues& values, std::string_view) { return *values.back(); }},
    {"sum", sum},
    {"min",
     [](const JsonValues& values, std::string_view name) { return extreme(values, name, false); }},
    {"max",
     [](const JsonValues& values, std::string_view name) { return extreme(values, name, true); }},
    {"union", [](const JsonValues& values, std::string_view) { return listOf(values, true); }},
    {"list", [](const JsonValues& values, std::string_view) { return listOf(values, false); }}};

Json mergedBy(std::string_view rule, const JsonValues& values, std::string_view name) {
  const auto place = std::ranges::find(rules, rule, &Rule::name);
  if (place != std::end(rules))
    return place->merged(values, name);
  std::vector<std::string> known;
  std::string all;
  for (const Rule& each : rules) {
    known.emplace_back(each.name);
    all.append(all.empty() ? "" : ", ").append(each.name);
  }
  fail(ErrorKind::name, "'", name, "': no rule is called '", rule, "'", suggestion(rule, known),
       "; use one of ", all);
}

/// Appends the texts that are not in the list yet.
void addNew(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more)
    if (std::ranges::find(all, each) == all.end())
      all.push_back(each);
}

void addUnlessEmpty(Json::Entries& to, std::string_view name, Json::Entries entries) {
  if (!entries.empty())
    to.push_back({std::string(name), std::move(entries)});
}

const Json::Entries& entriesOf(const Json& json, std::string_view where) {
  const auto* const entries = json.as<Json::Entries>();
  if (!entries)
    fail(ErrorKind::corrupt, where, ": expected entries by name, not ", json.text().substr(0, 40));
  return *entries;
}

} // namespace

void Metadata::set(std::string_view key, Json value, std::string_view rule) {
  try {
    if (isDeeperThan(mostNesting, value))
      fail(ErrorKind::type, "it is nested more than ", mostNesting, " deep");
    (void)value.text();
  } catch (const Error& error) {
    fail(ErrorKind::type, "the metadata '", key,
         "' have a value that JSON cannot hold: ", error.what());
  }
  (void)mergedBy(rule, {&value}, key);
  const auto known = std::ranges::find(m_entries, key, &Entry::key);
  Entry entry{std::string(key), std::move(value), std::string(rule)};
  if (known == m_entries.end())
    m_entries.push_back(std::move(entry));
  else
    *known = std::move(entry);
}

void Metadata::remove(std::string_view key) {
  std::erase_if(m_entries, [&](const Entry& entry) { return entry.key == key; });
}

const Metadata::Entry* Metadata::entry(std::string_view key) const {
  const auto place = std::ranges::find(m_entries, key, &Entry::key);
  return place == m_entries.end() ? nullptr : &*place;
}

const Json* Metadata::find(std::string_view key) const {
  const Entry* const known = entry(key);
  return known ? &known->value : nullptr;
}

std::string_view Metadata::rule(std::string_view key) const {
  const Entry* const known = entry(key);
  return known ? std::string_view(known->rule) : usualRule;
}

std::vector<std::string> Metadata::keys() const {
  std::vector<std::string> all;
  for (const Entry& entry : m_entries)
    all.push_back(entry.key);
  return all;
}

Metadata& Metadata::part(std::string_view name) {
  const auto part = std::ranges::find(m_parts, name, &Part::name);
  if (part != m_parts.end())
    return part->metadata;
  return m_parts.emplace_back(Part{std::string(name), {}}).metadata;
}

const Metadata* Metadata::findPart(std::string_view name) const {
  const auto part = std::ranges::find(m_parts, name, &Part::name);
  return part == m_parts.end() ? nullptr : &part->metadata;
}

std::vector<std::string> Metadata::parts() const {
  std::vector<std::string> all;
  for (const Part& part : m_parts)
    all.push_back(part.name);
  return all;
}

void Metadata::failType(std::string_view key, const Json& value) {
  fail(ErrorKind::type, "the metadata '", key, "' are ", value.text(), ", which has another type");
}

Metadata Metadata::merged(std::span<const Metadata> several, std::vector<std::string>* mistakes) {
  std::vector<const Metadata*> all;
  for (const Metadata& each : several)
    all.push_back(&each);
  return merge(all, "", mistakes);
}

Metadata Metadata::merge(const std::vector<const Metadata*>& several, const std::string& where,
                         std::vector<std::string>* mistakes) {
  Metadata merged;
  std::vector<std::string> keys, parts;
  for (const Metadata* const each : several) {
    addNew(keys, each->keys());
    addNew(parts, each->parts());
  }
  for (const std::string& key : keys) {
    JsonValues values;
    std::vector<std::string> rules;
    const Entry* last = nullptr;
    for (const Metadata* const each : several)
      if (const Entry* const known = each->entry(key)) {
        values.push_back(&known->value);
        addNew(rules, {known->rule});
        last = known;
      }
    if (values.size() == 1) { // unchanged, whatever its rule
      merged.m_entries.push_back(*last);
      continue;
    }
    try {
      if (rules.size() > 1)
        fail(ErrorKind::usage, "the metadata '", where, key, "' have different rules: ", rules[0],
             " and ", rules[1]);
      merged.set(key, mergedBy(rules[0], values, where + key), rules[0]);
    } catch (const Error& error) {
      if (!mistakes)
        throw;
      mistakes->emplace_back(error.what());
    }
  }
  for (const std::string& name : parts) {
    std::vector<const Metadata*> having;
    for (const Metadata* const each : several)
      if (const Metadata* const part = each->findPart(name))
        having.push_back(part);
    merged.part(name) = merge(having, where + name + ".", mistakes);
  }
  return merged;
}

/// Returns the values of this part, or its rules other than "same".
Json::Entries Metadata::entries(bool rules) const {
  Json::Entries all;
  for (const Entry& entry : m_entries)
    if (!rules || entry.rule != usualRule)
      all.push_back({entry.key, rules ? Json(entry.rule) : entry.value});
  return all;
}

/// Returns the values or rules of the file, its categories and their collections.
Json::Entries Metadata::allEntries(bool rules) const {
  Json::Entries all, categories, collections;
  for (const Part& category : m_parts) {
    addUnlessEmpty(categories, category.name, category.metadata.entries(rules));
    Json::Entries inside;
    for (const Part& collection : category.metadata.m_parts)
      addUnlessEmpty(inside, collection.name, collection.metadata.entries(rules));
    addUnlessEmpty(collections, category.name, std::move(inside));
  }
  addUnlessEmpty(all, "file", entries(rules));
  addUnlessEmpty(all, "categories", std::move(categories));
  addUnlessEmpty(all, "collections", std::move(collections));
  return all;
}

std::string Metadata::toJson() const {
  Json::Entries document = allEntries(false);
  addUnlessEmpty(document, "rules", allEntries(true));
  return Json(std::move(document)).text();
}

Metadata Metadata::fromJson(std::string_view text, std::string_view where) {
  const Json document = detail::parseJson(text, where);
  Metadata metadata;
  metadata.restore(document, false, where);
  if (const Json* const rules = document.find("rules"))
    metadata.restore(*rules, true, where);
  return metadata;
}

void Metadata::restore(const Json& json, bool rules, std::string_view where) {
  (void)entriesOf(json, where);
  if (const Json* const file = json.find("file"))
    restoreEntries(*file, rules, where);
  if (const Json* const categories = json.find("categories"))
    for (const auto& [name, values] : entriesOf(*categories, where))
      part(name).restoreEntries(values, rules, where);
  if (const Json* const collections = json.find("collections"))
    for (const auto& [category, inside] : entriesOf(*collections, where))
      for (const auto& [name, values] : entriesOf(inside, where))
        part(category).part(name).restoreEntries(values, rules, where);
}

/// Restores values, or the rules of values that were restored before.
void Metadata::restoreEntries(const Json& json, bool rules, std::string_view where) {
  for (const auto& [key, value] : entriesOf(json, where)) {
    if (!rules) {
      m_entries.push_back({key, value, std::string(usualRule)});
      continue;
    }
    const auto* const rule = value.as<std::string>();
    if (!rule)
      fail(ErrorKind::corrupt, where, ": the rule of '", key, "' is not a text");
    const auto known = std::ranges::find(m_entries, key, &Entry::key);
    if (known != m_entries.end())
      known->rule = *rule;
  }
}

} // namespace kaon
