// config_value.cpp — the value tree and the list of problems.
#include "kernel/core/config_value.h"

#include <algorithm>
#include <tuple>

namespace coppice {

std::string ConfigPosition::to_string() const {
  if (!known()) return "";
  if (line == 0) return *file;
  return *file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

ConfigValue::ConfigValue() : data(Table{}) {}
ConfigValue::ConfigValue(const ConfigValue&) = default;
ConfigValue::ConfigValue(ConfigValue&&) noexcept = default;
ConfigValue& ConfigValue::operator=(const ConfigValue&) = default;
ConfigValue& ConfigValue::operator=(ConfigValue&&) noexcept = default;
ConfigValue::~ConfigValue() = default;

std::string_view ConfigValue::kind_text() const {
  constexpr std::string_view kTexts[] = {"a boolean", "an integer", "a float",       "a string",
                                         "a list",    "a table",    "a date or time"};
  return kTexts[data.index()];
}

const ConfigValue::Member* ConfigValue::find_member(std::string_view key) const {
  const Table* table = as_table();
  if (table == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(*table, [key](const Member& member) { return member.key == key; });
  return found == table->end() ? nullptr : &*found;
}

ConfigValue::Member& ConfigValue::member(std::string_view key, ConfigPosition where) {
  if (as_table() == nullptr) data = Table{};
  Table& table = std::get<Table>(data);
  for (Member& present : table) {
    if (present.key == key) return present;
  }
  ConfigValue value;
  value.at = where;
  table.push_back({std::string(key), std::move(where), std::move(value)});
  return table.back();
}

void Problems::add(const ConfigPosition& at, std::string text) {
  ++count_;
  if (problems_.size() < kProblemsMax) problems_.push_back({at, std::move(text), problems_.size()});
}

std::string Problems::to_string() const {
  std::vector<const Problem*> sorted;
  for (const Problem& problem : problems_) sorted.push_back(&problem);
  const auto place = [](const Problem* p) {
    return std::tuple(!p->at.known(), p->at.known() ? std::string_view(*p->at.file) : "",
                      p->at.line, p->at.column, p->order);
  };
  std::ranges::sort(sorted, {}, place);
  std::string out;
  for (const Problem* problem : sorted) {
    if (problem->at.known()) out += problem->at.to_string() + ": ";
    out += problem->text + "\n";
  }
  if (count_ > problems_.size()) {
    out += "and " + std::to_string(count_ - problems_.size()) + " more\n";
  }
  out += std::to_string(count_) + (count_ == 1 ? " problem" : " problems");
  return out + "; nothing was started";
}

Status Problems::to_status() const {
  if (empty()) return {};
  return fail(Code::kInvalidArgument, to_string());
}

}  // namespace coppice
