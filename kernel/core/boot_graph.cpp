// boot_graph.cpp — binding instances, and a depth-first order of modules.
#include "kernel/core/boot_graph.h"

#include <algorithm>

#include "kernel/base/names.h"

namespace coppice {

namespace {

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

bool lists(const std::vector<InterfaceRef>& interfaces, InterfaceRef wanted) {
  return std::ranges::find(interfaces, wanted) != interfaces.end();
}

std::string in_words(const std::vector<std::string_view>& names, std::string_view between) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += " " + std::string(between) + " ";
    out += quoted(name);
  }
  return out;
}

class Binder {
 public:
  Binder(BootPlan& plan, const ConfigValue& tree, const Inventory& inventory,
         const std::vector<Provided>& provided, Problems& problems)
      : plan_(plan), tree_(tree), inventory_(inventory), provided_(provided), problems_(problems) {}

  void run() {
    check_offers();
    for (PlannedModule& module : plan_.modules) bind(module);
  }

 private:
  void check_offers();
  void check_one_source(InterfaceRef interface, std::string_view verb,
                        const std::vector<InterfaceRef> ModuleEntry::* list);
  void bind(PlannedModule& module);
  void bind_keys(PlannedModule& module, const FieldTable& table, void* config,
                 const ConfigValue* said, const std::string& section);
  void bind_key(PlannedModule& module, const FieldRow& row, void* value, const ConfigValue* said,
                const ConfigPosition& section_at, const std::string& where);
  void bind_need(PlannedModule& module, const NeedEntry& need);
  void add_edges(PlannedModule& module, InterfaceRef interface);
  std::vector<std::string_view> instances_of(InterfaceRef interface) const;
  std::string no_instance(InterfaceRef interface, std::string_view name) const;
  std::string missing(const PlannedModule& module, InterfaceRef interface) const;

  BootPlan& plan_;
  const ConfigValue& tree_;
  const Inventory& inventory_;
  const std::vector<Provided>& provided_;
  Problems& problems_;
};

// All names under which the interface will be published, sorted; "" is what a module offers.
std::vector<std::string_view> Binder::instances_of(InterfaceRef interface) const {
  std::vector<std::string_view> names;
  for (const PlannedInstance& instance : plan_.instances) {
    if (instance.plugin->interface == interface) names.emplace_back(instance.name);
  }
  for (const BrokenInstance& broken : plan_.broken) {
    if (broken.interface == interface.name) names.emplace_back(broken.name);
  }
  for (const Provided& provided : provided_) {
    if (provided.interface == interface) names.emplace_back(provided.instance);
  }
  for (const PlannedModule& module : plan_.modules) {
    if (lists(module.entry->offers, interface)) names.emplace_back("");
  }
  std::ranges::sort(names);
  return names;
}

void Binder::check_one_source(InterfaceRef interface, std::string_view verb,
                              const std::vector<InterfaceRef> ModuleEntry::* list) {
  std::vector<std::string_view> sources;
  for (const PlannedModule& module : plan_.modules) {
    if (lists(module.entry->*list, interface)) sources.push_back(module.entry->name);
  }
  if (sources.size() < 2) return;
  problems_.add("modules " + in_words(sources, "and") + " both " + std::string(verb) + " " +
                std::string(interface.name) + "; list only one of them in [kernel] modules");
}

void Binder::check_offers() {
  std::vector<InterfaceRef> seen;
  for (const PlannedModule& module : plan_.modules) {
    for (const InterfaceRef& offer : module.entry->offers) {
      if (lists(seen, offer)) continue;
      seen.push_back(offer);
      check_one_source(offer, "offer", &ModuleEntry::offers);
    }
  }
  seen.clear();
  for (const PlannedModule& module : plan_.modules) {
    for (const InterfaceRef& decorated : module.entry->decorates) {
      if (lists(seen, decorated)) continue;
      seen.push_back(decorated);
      check_one_source(decorated, "decorate", &ModuleEntry::decorates);
    }
  }
}

void Binder::bind(PlannedModule& module) {
  const ConfigValue::Member* said = tree_.find_member(module.entry->name);
  const ConfigValue* section =
      said != nullptr && said->value.as_table() != nullptr ? &said->value : nullptr;
  bind_keys(module, *module.entry->config.table, module.config.get(), section,
            std::string(module.entry->name));
  for (const NeedEntry& need : module.entry->needs) bind_need(module, need);
}

void Binder::bind_keys(PlannedModule& module, const FieldTable& table, void* config,
                       const ConfigValue* said, const std::string& section) {
  for (const FieldRow& row : table.rows()) {
    const ConfigValue::Member* member = said == nullptr ? nullptr : said->find_member(row.key);
    const ConfigValue* value = member == nullptr ? nullptr : &member->value;
    if (row.table != nullptr && row.entry && value != nullptr && value->as_table() != nullptr) {
      for (const ConfigValue::Member& named : *value->as_table()) {
        bind_keys(module, *row.table, row.entry(row.member(config), named.key), &named.value,
                  section + "." + row.key + "." + named.key);
      }
    } else if (row.table != nullptr && !row.entry) {
      bind_keys(module, *row.table, row.member(config), value, section + "." + row.key);
    } else if (row.refers_to.type != nullptr) {
      bind_key(module, row, row.member(config), value,
               said == nullptr ? ConfigPosition{} : said->at,
               "[" + section + "] " + row.key + ": ");
    }
  }
}

std::string Binder::no_instance(InterfaceRef interface, std::string_view name) const {
  std::vector<std::string_view> names = instances_of(interface);
  std::erase(names, std::string_view());
  return "no instance " + quoted(name) + " of " + std::string(interface.name) +
         "; defined: " + (names.empty() ? "none" : join_names(names));
}

void Binder::bind_key(PlannedModule& module, const FieldRow& row, void* value,
                      const ConfigValue* said, const ConfigPosition& section_at,
                      const std::string& where) {
  const std::vector<std::string_view> names = instances_of(row.refers_to);
  const auto defined = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (row.refers_to_many) {
    const auto& list = *static_cast<const std::vector<std::string>*>(value);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (defined(list[i])) continue;
      const ConfigValue::List* items = said == nullptr ? nullptr : said->as_list();
      const bool placed = items != nullptr && i < items->size();
      problems_.add(placed ? (*items)[i].at : section_at,
                    where + no_instance(row.refers_to, list[i]));
    }
    return;
  }
  auto& name = *static_cast<std::string*>(value);
  if (said == nullptr && !defined(name)) {
    if (names.size() > 1) {
      problems_.add(section_at, where + std::to_string(names.size()) + " instances of " +
                                    std::string(row.refers_to.name) + " are defined (" +
                                    join_names(names) + "); say which");
      return;
    }
    if (names.empty()) return;  // a need that is not met is said once, by bind_need()
    name = names.front();
  }
  if (said != nullptr && !defined(name)) {
    // Saying "" means none, unless there has to be one.
    const bool needed = std::ranges::any_of(module.entry->needs, [&](const NeedEntry& need) {
      return need.interface == row.refers_to && need.kind == NeedKind::kOne;
    });
    if (!name.empty() || needed) problems_.add(said->at, where + no_instance(row.refers_to, name));
    return;
  }
  if (module.bindings.find(row.refers_to.type) == nullptr) {
    module.bindings.bind(row.refers_to.type, name);
  }
}

std::string Binder::missing(const PlannedModule& module, InterfaceRef interface) const {
  const std::string text =
      "module " + quoted(module.entry->name) + " needs " + std::string(interface.name) + ", ";
  const std::vector<std::string_view> kinds = inventory_.kinds_of(interface.name);
  if (!kinds.empty()) {
    return text + "of which no instance is defined; add a section [" + std::string(interface.name) +
           ".NAME] with kind = one of: " + join_names(kinds);
  }
  std::vector<std::string_view> offering;
  for (const ModuleEntry& other : inventory_.modules()) {
    if (lists(other.offers, interface)) offering.push_back(other.name);
  }
  if (offering.empty()) return text + "which nothing in this binary offers";
  return text + "which no loaded module offers; add " + in_words(offering, "or") +
         " to [kernel] modules";
}

void Binder::bind_need(PlannedModule& module, const NeedEntry& need) {
  const InterfaceRef interface = need.interface;
  add_edges(module, interface);
  if (need.kind != NeedKind::kOne && need.kind != NeedKind::kOptional) return;
  const std::vector<std::string_view> names = instances_of(interface);
  const auto& rows = module.entry->config.table->rows();
  const bool has_key = std::ranges::any_of(
      rows, [&](const FieldRow& row) { return row.refers_to == interface && !row.refers_to_many; });
  if (names.empty()) {
    if (need.kind == NeedKind::kOne) problems_.add(missing(module, interface));
    return;
  }
  if (module.bindings.find(interface.type) != nullptr || has_key) return;
  if (names.size() > 1) {
    problems_.add("module " + quoted(module.entry->name) + " needs one " +
                  std::string(interface.name) + ", but " + std::to_string(names.size()) +
                  " are defined: " + join_names(names));
    return;
  }
  module.bindings.bind(interface.type, std::string(names.front()));
}

void Binder::add_edges(PlannedModule& module, InterfaceRef interface) {
  for (const PlannedModule& other : plan_.modules) {
    const bool source =
        lists(other.entry->offers, interface) || lists(other.entry->decorates, interface);
    const bool known = std::ranges::find(module.needs, other.entry->name) != module.needs.end();
    if (source && !known) module.needs.push_back(other.entry->name);
  }
}

// Depth-first; `path_` is the chain of modules being visited, so that a cycle can be printed.
class Sorter {
 public:
  Sorter(BootPlan& plan, Problems& problems) : plan_(plan), problems_(problems) {}

  void run() {
    for (const PlannedModule& module : plan_.modules) {
      if (!visit(module)) return;
    }
    std::ranges::sort(plan_.modules, {}, [this](const PlannedModule& module) {
      return std::ranges::find(done_, module.entry->name) - done_.begin();
    });
  }

 private:
  bool visit(const PlannedModule& module) {
    const std::string_view name = module.entry->name;
    if (std::ranges::find(done_, name) != done_.end()) return true;
    const auto again = std::ranges::find(path_, name);
    if (again != path_.end()) {
      std::string cycle;
      for (auto at = again; at != path_.end(); ++at) cycle += std::string(*at) + " -> ";
      problems_.add("modules form a cycle: " + cycle + std::string(name));
      return false;
    }
    path_.push_back(name);
    for (const std::string_view needed : module.needs) {
      const auto other = std::ranges::find(plan_.modules, needed,
                                           [](const PlannedModule& m) { return m.entry->name; });
      if (!visit(*other)) return false;
    }
    path_.pop_back();
    done_.push_back(name);
    return true;
  }

  BootPlan& plan_;
  Problems& problems_;
  std::vector<std::string_view> path_;
  std::vector<std::string_view> done_;
};

}  // namespace

void bind_modules(BootPlan& plan, const ConfigValue& tree, const Inventory& inventory,
                  const std::vector<Provided>& provided, Problems& problems) {
  Binder(plan, tree, inventory, provided, problems).run();
}

void order_modules(BootPlan& plan, Problems& problems) {
  Sorter(plan, problems).run();
}

}  // namespace coppice
