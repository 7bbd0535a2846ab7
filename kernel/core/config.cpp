// config.cpp — field tables, and reading a table of the file into a struct.
#include "kernel/core/config.h"

#include <algorithm>

#include "kernel/base/names.h"

namespace coppice {

namespace {

bool is_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string prefix(std::string_view section, std::string_view key) {
  return "[" + std::string(section) + "] " + std::string(key) + ": ";
}

std::string join(std::string_view section, std::string_view key) {
  std::string joined(section);
  joined += ".";
  joined += key;
  return joined;
}

void decode_named_tables(const FieldRow& row, void* value, const ConfigValue& from,
                         const std::string& section, Problems& problems) {
  for (const ConfigValue::Member& named : *from.as_table()) {
    if (named.value.as_table() == nullptr) {
      problems.add(named.value.at, prefix(section, named.key) + "expected a table, got " +
                                       std::string(named.value.kind_text()));
      continue;
    }
    decode_config(*row.table, row.entry(value, named.key), named.value, join(section, named.key),
                  problems);
  }
}

void decode_row(const FieldRow& row, void* object, const ConfigValue& from,
                std::string_view section, Problems& problems) {
  void* value = row.member(object);
  if (row.table != nullptr) {
    const std::string inner = join(section, row.key);
    if (from.as_table() == nullptr) {
      problems.add(from.at, prefix(section, row.key) + "expected a table, got " +
                                std::string(from.kind_text()));
    } else if (row.entry) {
      decode_named_tables(row, value, from, inner, problems);
    } else {
      decode_config(*row.table, value, from, inner, problems);
    }
    return;
  }
  if (auto complaint = row.decode(from, value)) {
    problems.add(complaint->at, prefix(section, row.key) + complaint->text);
    return;
  }
  for (const auto& check : row.checks) {
    if (std::string text = check(value); !text.empty()) {
      problems.add(from.at, prefix(section, row.key) + text);
    }
  }
}

}  // namespace

FieldRow& FieldTable::add(FieldRow row) {
  COPPICE_ASSERT(is_key(row.key));
  COPPICE_ASSERT(find(row.key) == nullptr);
  COPPICE_ASSERT(!row.help.empty());
  rows_.push_back(std::move(row));
  return rows_.back();
}

const FieldRow* FieldTable::find(std::string_view key) const {
  const auto found = std::ranges::find(rows_, key, &FieldRow::key);
  return found == rows_.end() ? nullptr : &*found;
}

std::vector<std::string_view> FieldTable::keys() const {
  std::vector<std::string_view> keys;
  for (const FieldRow& row : rows_) keys.emplace_back(row.key);
  return keys;
}

void decode_config(const FieldTable& table, void* object, const ConfigValue& from,
                   std::string_view section, Problems& problems,
                   const std::vector<std::string_view>& skip) {
  COPPICE_ASSERT(from.as_table() != nullptr);
  const std::size_t before = problems.count();
  for (const ConfigValue::Member& member : *from.as_table()) {
    if (std::ranges::find(skip, std::string_view(member.key)) != skip.end()) continue;
    if (const FieldRow* row = table.find(member.key)) {
      decode_row(*row, object, member.value, section, problems);
      continue;
    }
    const std::vector<std::string_view> keys = table.keys();
    const std::string_view near = nearest_name(member.key, keys);
    std::string text = prefix(section, member.key) + "unknown key";
    if (!near.empty()) text += "; did you mean \"" + std::string(near) + "\"?";
    problems.add(member.key_at, std::move(text));
  }
  for (const FieldRow& row : table.rows()) {
    if (row.required && from.find_member(row.key) == nullptr) {
      problems.add(from.at, prefix(section, row.key) + "is missing, and has no default");
    }
  }
  if (!table.check || problems.count() != before) return;  // across keys only when each is fine
  Complaints complaints;
  table.check(object, complaints);
  for (const auto& [key, text] : complaints.items()) {
    const ConfigValue::Member* said = from.find_member(key);
    problems.add(said == nullptr ? from.at : said->value.at, prefix(section, key) + text);
  }
}

void draw_sim_values(const FieldTable& table, void* object, Rng& rng) {
  for (const FieldRow& row : table.rows()) {
    void* value = row.member(object);
    if (row.table != nullptr) {
      row.each_entry(value, [&](void* entry) { draw_sim_values(*row.table, entry, rng); });
    } else if (row.draw) {
      row.draw(value, rng);
    }
  }
}

}  // namespace coppice
