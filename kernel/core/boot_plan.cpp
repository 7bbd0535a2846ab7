// boot_plan.cpp — reading every section, and finding the instances and modules it asks for.
#include "kernel/core/boot_plan.h"

#include <algorithm>
#include <set>

#include "kernel/base/names.h"
#include "kernel/core/boot_graph.h"

namespace coppice {

namespace {

constexpr std::string_view kKindKey = "kind";

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

class Planner {
 public:
  Planner(const Inventory& inventory, const ConfigValue& tree,
          const std::vector<Provided>& provided, Problems& problems)
      : inventory_(inventory), tree_(tree), provided_(provided), problems_(problems) {}

  BootPlan run() {
    for (const std::string& clash : inventory_.clashes()) problems_.add(clash);
    read_settings();
    choose_modules();
    for (const ConfigValue::Member& section : *tree_.as_table()) read_section(section);
    for (PlannedModule& module : plan_.modules) make_every_kind(module);
    std::ranges::sort(plan_.instances, {}, [](const PlannedInstance& instance) {
      return std::pair(instance.plugin->interface.name, std::string_view(instance.name));
    });
    bind_modules(plan_, tree_, inventory_, provided_, problems_);
    order_modules(plan_, problems_);
    return std::move(plan_);
  }

 private:
  void read_settings();
  void choose_modules();
  void choose_module(const std::string& name, const ConfigPosition& at);
  void read_section(const ConfigValue::Member& section);
  void read_module_section(const ConfigValue::Member& section, const ModuleEntry& entry);
  void read_instances(const ConfigValue::Member& section, const FieldTable* module_keys);
  bool read_instance(std::string_view interface, const ConfigValue::Member& instance);
  void make_every_kind(const PlannedModule& module);
  bool is_interface(std::string_view name) const;
  void say_unknown_section(const ConfigValue::Member& section);
  void say_unknown_kind(std::string_view interface, const std::string& section,
                        const ConfigValue& kind);

  const Inventory& inventory_;
  const ConfigValue& tree_;
  const std::vector<Provided>& provided_;
  Problems& problems_;
  const std::vector<SettingsSection> settings_sections_ = settings_sections();
  BootPlan plan_;
};

void Planner::read_settings() {
  for (const SettingsSection& section : settings_sections_) {
    const ConfigValue::Member* said = tree_.find_member(section.name);
    if (said == nullptr || said->value.as_table() == nullptr) continue;  // read_section() says it
    decode_config(*section.table, section.in(plan_.settings), said->value, section.name, problems_);
  }
}

void Planner::choose_modules() {
  const ConfigValue::Member* kernel = tree_.find_member("kernel");
  const ConfigValue::Member* said =
      kernel == nullptr ? nullptr : kernel->value.find_member("modules");
  const ConfigValue::List* list = said == nullptr ? nullptr : said->value.as_list();
  if (list == nullptr) return;
  for (const ConfigValue& item : *list) {
    if (const std::string* name = item.as_string()) choose_module(*name, item.at);
  }
}

void Planner::choose_module(const std::string& name, const ConfigPosition& at) {
  const std::string prefix = "[kernel] modules: ";
  const bool again = std::ranges::any_of(
      plan_.modules, [&](const PlannedModule& module) { return module.entry->name == name; });
  if (again) {
    problems_.add(at, prefix + quoted(name) + " is listed twice");
    return;
  }
  if (const ModuleEntry* entry = inventory_.find_module(name)) {
    plan_.modules.push_back({entry, entry->config.make(), {}, {}});
    return;
  }
  if (inventory_.is_left_out("module." + name)) {
    problems_.add(
        at, prefix + "module " + quoted(name) + " was left out of this binary (COPPICE_WITHOUT)");
    return;
  }
  const std::vector<std::string_view> names = inventory_.module_names();
  const std::string_view near = nearest_name(name, names);
  problems_.add(at, prefix + "no module " + quoted(name) + " in this binary; " +
                        (!near.empty()   ? "did you mean " + quoted(near) + "?"
                         : names.empty() ? "it has none"
                                         : "it has: " + join_names(names)));
}

void Planner::read_section(const ConfigValue::Member& section) {
  const std::string& name = section.key;
  if (section.value.as_table() == nullptr) {
    problems_.add(section.key_at, name + ": stands outside of any section");
    return;
  }
  const bool settings = std::ranges::any_of(
      settings_sections_, [&](const SettingsSection& known) { return known.name == name; });
  if (settings) return;  // read already
  const ModuleEntry* entry = inventory_.find_module(name);
  if (entry != nullptr) read_module_section(section, *entry);
  if (is_interface(name)) {
    read_instances(section, entry == nullptr ? nullptr : entry->config.table.get());
  } else if (entry == nullptr) {
    say_unknown_section(section);
  }
}

// A module's section is read even when the module is not listed: a typo in it is one all the same.
void Planner::read_module_section(const ConfigValue::Member& section, const ModuleEntry& entry) {
  std::vector<std::string_view> instances;
  if (is_interface(section.key)) {  // [vfs] of module vfs also holds [vfs.data]
    for (const ConfigValue::Member& member : *section.value.as_table()) {
      const bool own = entry.config.table->find(member.key) != nullptr;
      if (!own && member.value.as_table() != nullptr) instances.emplace_back(member.key);
    }
  }
  const auto planned = std::ranges::find(plan_.modules, &entry, &PlannedModule::entry);
  const std::shared_ptr<void> config =
      planned == plan_.modules.end() ? entry.config.make() : planned->config;
  decode_config(*entry.config.table, config.get(), section.value, section.key, problems_,
                instances);
}

void Planner::read_instances(const ConfigValue::Member& section, const FieldTable* module_keys) {
  for (const ConfigValue::Member& member : *section.value.as_table()) {
    if (module_keys != nullptr && module_keys->find(member.key) != nullptr) continue;
    if (member.value.as_table() != nullptr) {
      if (!read_instance(section.key, member)) plan_.broken.push_back({section.key, member.key});
    } else if (module_keys == nullptr) {
      problems_.add(member.key_at, "[" + section.key + "] " + member.key +
                                       ": unknown key; instances of " + section.key +
                                       " are tables: [" + section.key + "." + member.key + "]");
    }
  }
}

// False when there is no plugin for it.
bool Planner::read_instance(std::string_view interface, const ConfigValue::Member& instance) {
  const std::string section = std::string(interface) + "." + instance.key;
  const ConfigValue::Member* kind = instance.value.find_member(kKindKey);
  if (kind == nullptr) {
    const auto kinds = inventory_.kinds_of(interface);
    problems_.add(instance.key_at, "[" + section + "] kind: is missing; " + std::string(interface) +
                                       " plugins in this binary: " + join_names(kinds));
    return false;
  }
  const std::string* word = kind->value.as_string();
  if (word == nullptr) {
    problems_.add(kind->value.at, "[" + section + "] kind: expected a string, got " +
                                      std::string(kind->value.kind_text()));
    return false;
  }
  const PluginEntry* plugin = inventory_.find_plugin(interface, *word);
  if (plugin == nullptr) {
    say_unknown_kind(interface, section, kind->value);
    return false;
  }
  PlannedInstance planned{plugin, instance.key, plugin->config.make()};
  decode_config(*plugin->config.table, planned.config.get(), instance.value, section, problems_,
                {kKindKey});
  plan_.instances.push_back(std::move(planned));
  return true;
}

void Planner::make_every_kind(const PlannedModule& module) {
  for (const NeedEntry& need : module.entry->needs) {
    if (need.kind != NeedKind::kEveryKind) continue;
    for (const PluginEntry& plugin : inventory_.plugins()) {
      if (plugin.interface != need.interface) continue;
      const auto taken = std::ranges::find_if(plan_.instances, [&](const PlannedInstance& there) {
        return there.plugin->interface == plugin.interface && there.name == plugin.kind;
      });
      const std::string section =
          std::string(plugin.interface.name) + "." + std::string(plugin.kind);
      if (taken == plan_.instances.end()) {
        PlannedInstance planned{&plugin, std::string(plugin.kind), plugin.config.make()};
        decode_config(*plugin.config.table, planned.config.get(), ConfigValue(), section,
                      problems_);
        plan_.instances.push_back(std::move(planned));
      } else if (taken->plugin != &plugin) {
        problems_.add("[" + section + "] kind: is " + quoted(taken->plugin->kind) +
                      ", but an instance named for a kind must be of that kind");
      }
    }
  }
}

bool Planner::is_interface(std::string_view name) const {
  const std::string left_out = "plugin." + std::string(name) + ".";
  return !inventory_.kinds_of(name).empty() ||
         std::ranges::any_of(inventory_.left_out(),
                             [&](const std::string& part) { return part.starts_with(left_out); });
}

void Planner::say_unknown_section(const ConfigValue::Member& section) {
  if (inventory_.is_left_out("module." + section.key)) {
    problems_.add(section.key_at, "[" + section.key + "]: module " + quoted(section.key) +
                                      " was left out of this binary (COPPICE_WITHOUT)");
    return;
  }
  std::vector<std::string_view> names = inventory_.module_names();
  for (const InterfaceRef& interface : inventory_.plugin_interfaces()) {
    names.push_back(interface.name);
  }
  for (const SettingsSection& known : settings_sections_) names.push_back(known.name);
  const std::string_view near = nearest_name(section.key, names);
  problems_.add(section.key_at,
                "[" + section.key + "]: unknown section" +
                    (near.empty() ? "" : "; did you mean [" + std::string(near) + "]?"));
}

void Planner::say_unknown_kind(std::string_view interface, const std::string& section,
                               const ConfigValue& kind) {
  const std::string& word = *kind.as_string();
  const std::string prefix = "[" + section + "] kind: ";
  if (inventory_.is_left_out("plugin." + std::string(interface) + "." + word)) {
    problems_.add(kind.at, prefix + std::string(interface) + " plugin " + quoted(word) +
                               " was left out of this binary (COPPICE_WITHOUT)");
    return;
  }
  const std::vector<std::string_view> kinds = inventory_.kinds_of(interface);
  problems_.add(kind.at,
                prefix + "no " + std::string(interface) + " plugin " + quoted(word) +
                    " in this binary; it has: " + (kinds.empty() ? "none" : join_names(kinds)));
}

}  // namespace

BootPlan plan_boot(const Inventory& inventory, const ConfigValue& tree,
                   const std::vector<Provided>& provided, Problems& problems) {
  COPPICE_ASSERT(tree.as_table() != nullptr);
  return Planner(inventory, tree, provided, problems).run();
}

}  // namespace coppice
