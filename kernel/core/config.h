// config.h — typed configuration: a plain struct, and one row per key that says all about it.
//
//   struct LsmConfig {
//     Size tree_split_size = 10_GiB;                              // the default
//     static void describe(Fields<LsmConfig>& f) {
//       f.value("tree_split_size", &LsmConfig::tree_split_size, "A tree is split above this.")
//           .range(64_MiB, 1_TiB)                                 // what is accepted
//           .sim(64_KiB, 1_MiB);                                  // what a simulation may draw
//     }
//     static void check(const LsmConfig& c, Complaints& complaints);  // optional: across keys
//   };
//
// Role:     the row gives parse, default, range, help, reference page, --explain and suggestion.
// Owns:     a FieldTable owns its rows; the structs are their holders'.
// Threads:  one at a time, at boot.   Parks: never.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/base/assert.h"
#include "kernel/base/random.h"
#include "kernel/core/config_codec.h"
#include "kernel/core/config_types.h"
#include "kernel/core/config_value.h"
#include "kernel/core/interface_name.h"

namespace coppice {

class FieldTable;

// One key. Type-erased: `object` is the config struct, `value` the member in it.
struct FieldRow {
  std::string key;
  std::string type;
  std::string help;
  std::string default_text;
  std::string range_text;  // "64MiB to 1TiB", "2 to 8 items"; empty when anything goes
  std::string flag;        // the command-line option that sets this key, without "--"
  bool required = false;

  std::function<void*(void* object)> member;
  std::function<MaybeComplaint(const ConfigValue& from, void* value)> decode;
  std::function<std::string(const void* value)> format;
  std::vector<std::function<std::string(const void* value)>> checks;  // empty text: fine
  std::function<void(void* value, Rng& rng)> draw;                    // set by sim()

  // A key that names instances of an interface.
  InterfaceRef refers_to;
  bool refers_to_many = false;

  // A key that is a table of its own: one of them, or one per name.
  std::shared_ptr<const FieldTable> table;
  std::function<void*(void* value, const std::string& name)> entry;  // makes the named one
  std::function<void(void* value, const std::function<void(void* entry)>&)> each_entry;
};

// What is wrong between keys, found by a config's own check().
class Complaints {
 public:
  void add(std::string_view key, std::string text) { items_.emplace_back(key, std::move(text)); }
  const std::vector<std::pair<std::string, std::string>>& items() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

// All rows of one config struct.
class FieldTable {
 public:
  FieldRow& add(FieldRow row);  // asserts that the key is new and well-formed
  const std::vector<FieldRow>& rows() const { return rows_; }
  std::vector<FieldRow>& rows() { return rows_; }
  const FieldRow* find(std::string_view key) const;
  std::vector<std::string_view> keys() const;

  std::function<void(const void* object, Complaints&)> check;

 private:
  std::vector<FieldRow> rows_;
};

namespace detail {
template <class V>
struct Inside {
  using Type = V;
};
template <class V>
struct Inside<std::optional<V>> {
  using Type = V;
};
template <class V>
struct Inside<std::vector<V>> {
  using Type = V;
};
}  // namespace detail

// Refines the row just added.
template <class V>
class Row {
 public:
  using Inner = typename detail::Inside<V>::Type;  // of an optional or a list: what is inside

  Row(FieldTable& table, std::size_t index) : table_(table), index_(index) {}

  Row& range(Inner min, Inner max);                          // inclusive
  Row& count(std::size_t min, std::size_t max);              // items of a list
  Row& must(std::string_view what, bool (*test)(const V&));  // "must " + what, unless test() holds
  Row& required();                                           // no default: the file has to say it
  Row& flag(std::string_view name);                          // `coppice --name VALUE` sets this key
  Row& sim(Inner min, Inner max);                            // a simulation may draw from here

 private:
  FieldRow& row() { return table_.rows()[index_]; }
  FieldTable& table_;
  std::size_t index_;
};

template <class T>
class Fields {
 public:
  explicit Fields(FieldTable& table) : table_(table) {}

  template <class V>
  Row<V> value(std::string_view key, V T::* member, std::string_view help);

  // A word out of a closed list.
  template <class E>
  Row<E> choice(std::string_view key, E T::* member,
                std::initializer_list<std::pair<std::string_view, E>> words, std::string_view help);

  // The name of an instance of Interface; get<Interface>() is bound to it. Left out: the default
  // if it is defined, else the only instance there is.
  template <class Interface>
  Row<std::string> instance(std::string_view key, std::string T::* member, std::string_view help);
  template <class Interface>
  Row<std::vector<std::string>> instances(std::string_view key,
                                          std::vector<std::string> T::* member,
                                          std::string_view help);

  // A table inside this one, with a config struct of its own.
  template <class S>
  void section(std::string_view key, S T::* member, std::string_view help);
  // The same, any number of them, by name: [fiber.lanes.raft]
  template <class S>
  void sections(std::string_view key, std::map<std::string, S> T::* member, std::string_view help);

 private:
  template <class V>
  FieldRow base_row(std::string_view key, V T::* member, std::string_view help);
  template <class V>
  Row<V> add(FieldRow row);
  FieldTable& table_;
};

// The rows of T, with defaults taken from a T{}.
template <class T>
std::shared_ptr<const FieldTable> describe_config();

// Reads `from` into `object`, whose rows are `table`. `section` is "lsm" or "vfs.data"; keys in
// `skip` belong to somebody else. Every problem is added; what could not be read keeps its default.
void decode_config(const FieldTable& table, void* object, const ConfigValue& from,
                   std::string_view section, Problems& problems,
                   const std::vector<std::string_view>& skip = {});

// Replaces every value that has a sim() range by one drawn from it.
void draw_sim_values(const FieldTable& table, void* object, Rng& rng);

// A config object of a type that the kernel does not know.
struct ConfigType {
  std::shared_ptr<const FieldTable> table;
  std::shared_ptr<void> (*make)() = nullptr;
};
template <class T>
ConfigType config_type() {
  return {describe_config<T>(), [] { return std::shared_ptr<void>(std::make_shared<T>()); }};
}

// For parts without keys.
struct NoConfig {
  static void describe(Fields<NoConfig>&) {}
};

}  // namespace coppice

#include "kernel/core/config_fields.inc.h"  // IWYU pragma: export
