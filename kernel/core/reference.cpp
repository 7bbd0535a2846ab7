// reference.cpp — the rows of all parts, printed.
#include "kernel/core/reference.h"

#include <algorithm>
#include <functional>

#include "kernel/base/names.h"

namespace coppice {

namespace {

struct SectionText {
  std::string name;   // "lsm", "vfs.local"
  std::string title;  // as TOML has it: "[vfs.NAME] kind = \"local\""
  std::string summary;
  std::shared_ptr<const FieldTable> table;
};

std::vector<SectionText> all_sections(const Inventory& inventory) {
  std::vector<SectionText> sections;
  for (const SettingsSection& section : settings_sections()) {
    sections.push_back({std::string(section.name), "[" + std::string(section.name) + "]",
                        std::string(section.summary), section.table});
  }
  std::vector<SectionText> parts;
  for (const ModuleEntry& module : inventory.modules()) {
    parts.push_back({std::string(module.name), "[" + std::string(module.name) + "]",
                     "Module: " + std::string(module.summary) + ".", module.config.table});
  }
  for (const PluginEntry& plugin : inventory.plugins()) {
    const std::string interface(plugin.interface.name);
    const std::string kind(plugin.kind);
    parts.push_back({interface + "." + kind, "[" + interface + ".NAME] kind = \"" + kind + "\"",
                     "Plugin: an instance of " + interface + ".", plugin.config.table});
  }
  std::ranges::sort(parts, {}, &SectionText::name);
  sections.insert(sections.end(), parts.begin(), parts.end());
  return sections;
}

// Visits every key, those of inner tables under their path: "lanes.NAME.dedicated_threads".
void each_row(const FieldTable& table, const std::string& prefix,
              const std::function<void(const std::string& path, const FieldRow& row)>& visit) {
  for (const FieldRow& row : table.rows()) {
    const std::string path = prefix + row.key;
    visit(path, row);
    if (row.table != nullptr) each_row(*row.table, path + (row.entry ? ".NAME." : "."), visit);
  }
}

std::string in_cell(std::string text) {  // a bar would end the cell
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

std::string default_of(const FieldRow& row) {
  if (row.table != nullptr) return "";
  return row.required ? "required" : row.default_text;
}

std::string joined(std::vector<std::string_view> names) {
  return names.empty() ? "none" : join_names(names);
}

}  // namespace

std::vector<ConfigFlag> config_flags(const Inventory& inventory) {
  std::vector<ConfigFlag> flags;
  for (const SectionText& section : all_sections(inventory)) {
    each_row(*section.table, section.name + ".", [&](const std::string& path, const FieldRow& row) {
      if (!row.flag.empty()) flags.push_back({row.flag, path, row.type, row.help});
    });
  }
  return flags;
}

std::string list_parts(const Inventory& inventory) {
  std::string out = "modules\n";
  for (const std::string_view name : inventory.module_names()) {
    const ModuleEntry& module = *inventory.find_module(name);
    std::vector<std::string_view> needs;
    std::vector<std::string_view> offers;
    for (const NeedEntry& need : module.needs) needs.push_back(need.interface.name);
    for (const InterfaceRef& offer : module.offers) offers.push_back(offer.name);
    out += "  " + std::string(name) + ": " + std::string(module.summary) +
           "\n    needs: " + joined(needs) + "\n    offers: " + joined(offers) + "\n";
  }
  out += "plugins\n";
  for (const InterfaceRef& interface : inventory.plugin_interfaces()) {
    out += "  " + std::string(interface.name) + ": " + joined(inventory.kinds_of(interface.name)) +
           "\n";
  }
  for (const std::string& part : inventory.left_out()) out += "left out\n  " + part + "\n";
  return out;
}

std::string draw_graph(const BootPlan& plan) {
  std::string out;
  for (const PlannedModule& module : plan.modules) {
    out += std::string(module.entry->name) + " -> " + joined(module.needs) + "\n";
  }
  for (const PlannedInstance& instance : plan.instances) {
    out += std::string(instance.plugin->interface.name) + "." + instance.name + " = " +
           std::string(instance.plugin->kind) + "\n";
  }
  return out.empty() ? "no modules, no instances\n" : out;
}

Result<std::string> explain_key(const Inventory& inventory, std::string_view key) {
  std::string out;
  std::vector<std::string> paths;
  for (const SectionText& section : all_sections(inventory)) {
    each_row(*section.table, section.name + ".", [&](const std::string& path, const FieldRow& row) {
      paths.push_back(path);
      if (path != key) return;
      out = path + "\n  " + row.help + "\n  section: " + section.title +
            "\n  type:    " + row.type + "\n";
      if (!default_of(row).empty()) out += "  default: " + default_of(row) + "\n";
      if (!row.range_text.empty()) out += "  allowed: " + row.range_text + "\n";
      if (!row.flag.empty()) out += "  option:  --" + row.flag + "\n";
    });
  }
  if (!out.empty()) return out;
  const std::vector<std::string_view> candidates(paths.begin(), paths.end());
  const std::string_view near = nearest_name(key, candidates);
  return fail(Code::kNotFound,
              "no config key \"" + std::string(key) + "\"" +
                  (near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?"));
}

std::string config_reference(const Inventory& inventory) {
  std::string out =
      "# Config reference\n\n"
      "Generated by `coppice --config-reference`; a test fails when it is stale. Sizes are written "
      "\"64MiB\" (B, KiB, MiB, GiB, TiB), durations \"50ms\" (ns, us, ms, s, min, h, d). Any key "
      "can be set on the command line: `--set section.key=value`.\n";
  for (const SectionText& section : all_sections(inventory)) {
    out += "\n## " + section.title + "\n\n" + section.summary + "\n";
    if (section.table->rows().empty()) continue;
    out += "\n| key | type | default | allowed | what it is |\n|---|---|---|---|---|\n";
    each_row(*section.table, "", [&](const std::string& path, const FieldRow& row) {
      const std::string option = row.flag.empty() ? "" : " Option: `--" + row.flag + "`.";
      const std::string value = default_of(row).empty() ? "" : "`" + default_of(row) + "`";
      out += "| `" + path + "` | " + in_cell(row.type) + " | " + in_cell(value) + " | " +
             in_cell(row.range_text) + " | " + in_cell(row.help) + option + " |\n";
    });
  }
  return out;
}

}  // namespace coppice
