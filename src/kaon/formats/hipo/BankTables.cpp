#include <kaon/formats/hipo/BankTables.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace kaon::hipo {
namespace {

/// Returns a value table with 32 bits for each event.
TableDefinition wordTable(std::string name, std::string description) {
  return {.name = std::move(name),
          .kind = TableKind::value,
          .type = std::string(nameOf(Scalar::UInt32)),
          .rowSize = 4,
          .members = {{"", Scalar::UInt32, 1, 0}},
          .description = std::move(description)};
}

std::optional<Scalar> typeOfNumbers(std::uint8_t type) noexcept {
  switch (static_cast<StructureType>(type)) {
  case StructureType::int8:
    return Scalar::Int8;
  case StructureType::int16:
    return Scalar::Int16;
  case StructureType::int32:
    return Scalar::Int32;
  case StructureType::int64:
    return Scalar::Int64;
  case StructureType::float32:
    return Scalar::Float32;
  case StructureType::float64:
    return Scalar::Float64;
  default:
    return std::nullopt;
  }
}

std::string placeOf(std::uint32_t key) {
  return std::to_string(groupOf(key)).append("_").append(std::to_string(itemOf(key)));
}

} // namespace

KeyIndex::KeyIndex(const std::vector<RowForm>& forms)
    : m_slots(std::bit_ceil(std::max<std::size_t>(forms.size() * 4, 16))) {
  for (std::uint32_t number = 0; number < forms.size(); ++number) {
    std::size_t place = placeOf(forms[number].key);
    while (m_slots[place].number != none)
      place = (place + 1) & (m_slots.size() - 1);
    m_slots[place] = {forms[number].key, number};
  }
}

BankTables::BankTables(const HipoDictionary& dictionary) {
  const std::string names =
      dictionary.tagNames.empty() ? "" : "; its bits are called\n" + dictionary.tagNames;
  add(wordTable("tag", "the event's tag" + names), {BankOrigin::Kind::tag}, "");
  add(wordTable("mask", "bits of the event, which Java's library sets"), {BankOrigin::Kind::mask},
      "");
  for (const HipoDictionary::RefusedDescription& refused : dictionary.refused)
    m_unreadable.push_back({refused.text.substr(0, 80), "bank", refused.reason});
  for (const BankDescription& bank : dictionary.banks)
    addBank(bank);
  m_keys = KeyIndex(m_forms);
}

void BankTables::refuse(std::uint32_t key, std::string name, std::string type, std::string reason) {
  m_known.insert(key);
  m_unreadable.push_back({std::move(name), std::move(type), std::move(reason)});
}

bool BankTables::add(TableDefinition table, BankOrigin origin, std::string_view type) {
  try {
    (void)m_schema.add(table);
  } catch (const Error& error) {
    refuse(origin.form < m_forms.size() ? m_forms[origin.form].key : 0, table.name,
           std::string(type), error.what());
    return false;
  }
  m_origins.push_back(origin);
  return true;
}

void BankTables::addForm(RowForm form, TableDefinition table, std::string_view type) {
  const auto number = static_cast<std::uint32_t>(m_forms.size());
  table.rowSize = detail::placeMembers(table.members);
  m_forms.push_back(std::move(form));
  if (!add(std::move(table), {BankOrigin::Kind::rows, number}, type))
    m_forms.pop_back();
}

void BankTables::addBank(const BankDescription& bank) {
  if (!m_known.insert(bank.key()).second)
    return refuse(bank.key(), bank.name, "bank", "another bank has its group and item");
  RowForm form{
      .kind = RowForm::Kind::bank, .key = bank.key(), .rowBytes = 0, .places = {}, .format = {}};
  TableDefinition table{.name = bank.name, .description = bank.description};
  for (const BankColumn& column : bank.columns) {
    form.places.push_back(form.rowBytes);
    form.rowBytes += column.bytes();
    table.members.push_back({column.name, column.type, column.extent, 0, "", column.description});
  }
  addForm(std::move(form), std::move(table), "bank");
}

void BankTables::addStructures(const Payload& payload) {
  for (std::size_t event = 0; event < payload.events; ++event)
    if (!forStructures(payload.event(event), payload.isSwapped,
                       [this](const Structure& structure) { addStructure(structure); }))
      break; // damaged; reported when the event is read
  m_keys = KeyIndex(m_forms);
}

void BankTables::addStructure(const Structure& structure) {
  constexpr std::size_t mostKinds = 2 * mostDescriptions; // including banks
  if (m_known.size() >= mostKinds || !m_known.insert(structure.key).second)
    return;
  const std::string name = "node_" + placeOf(structure.key);
  if (const auto type = typeOfNumbers(structure.type))
    addNumbers(structure, name, *type);
  else if (structure.type == static_cast<std::uint8_t>(StructureType::text))
    addText(structure, name);
  else if (structure.type == static_cast<std::uint8_t>(StructureType::composite))
    addComposite(structure, "composite_" + placeOf(structure.key));
  else if (structure.type == static_cast<std::uint8_t>(StructureType::bank))
    refuse(structure.key, name, "bank", "the dictionary does not describe it");
  else
    refuse(structure.key, name, "structure of type " + std::to_string(structure.type),
           "kaon does not read structures of this type");
}

void BankTables::addNumbers(const Structure& structure, const std::string& name, Scalar type) {
  addForm({.kind = RowForm::Kind::numbers,
           .key = structure.key,
           .type = structure.type,
           .rowBytes = sizeOf(type),
           .places = {0},
           .format = {}},
          {.name = name,
           .kind = TableKind::parameter,
           .type = std::string(nameOf(type)),
           .members = {{"", type}}},
          "node");
}

void BankTables::addText(const Structure& structure, const std::string& name) {
  const std::size_t forms = m_forms.size();
  addForm({.kind = RowForm::Kind::text,
           .key = structure.key,
           .type = structure.type,
           .rowBytes = 1,
           .places = {0},
           .format = {}},
          {.name = name, .kind = TableKind::parameter, .type = "string"}, "node");
  if (m_forms.size() > forms)
    add({.name = name + ".text",
         .kind = TableKind::text,
         .type = std::string(nameOf(Scalar::UInt8)),
         .parent = m_schema.size() - 1,
         .rowSize = 1,
         .members = {{"", Scalar::UInt8, 1, 0}}},
        {BankOrigin::Kind::characters, static_cast<std::uint32_t>(forms)}, "node");
}

void BankTables::addComposite(const Structure& structure, const std::string& name) {
  RowForm form{.kind = RowForm::Kind::composite,
               .key = structure.key,
               .type = structure.type,
               .rowBytes = 0,
               .places = {},
               .format = std::string(structure.format)};
  TableDefinition table{.name = name};
  constexpr std::size_t mostMembers = 1024;
  std::size_t times = 0; // "2i3f" is "iifff"
  for (const char letter : structure.format) {
    if (letter >= '0' && letter <= '9') {
      times = std::min(times * 10 + static_cast<std::size_t>(letter - '0'), mostMembers + 1);
      continue;
    }
    const auto type = letter >= 'a' && letter <= 'z'
                          ? columnType(static_cast<char>(letter - 'a' + 'A'))
                          : std::nullopt;
    times = std::max<std::size_t>(times, 1);
    if (!type || table.members.size() + times > mostMembers)
      return refuse(structure.key, name, "composite", "kaon does not know its format");
    for (; times > 0; --times) {
      table.members.push_back(
          {std::string("c").append(std::to_string(table.members.size())), *type});
      form.places.push_back(form.rowBytes);
      form.rowBytes += sizeOf(*type);
    }
  }
  if (times > 0)
    return refuse(structure.key, name, "composite", "its format ends with a number");
  if (table.members.empty())
    return refuse(structure.key, name, "composite", "it has no format");
  addForm(std::move(form), std::move(table), "composite");
}

} // namespace kaon::hipo
