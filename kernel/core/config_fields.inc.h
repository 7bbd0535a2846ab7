// config_fields.inc.h — the templates of config.h; included by it alone.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernel/core/config.h"

namespace coppice {

namespace detail {

// Calls test() on the value itself, on what an optional holds, or on each item of a list.
template <class V, class Test>
bool holds(const V& value, const Test& test) {
  return test(value);
}
template <class V, class Test>
bool holds(const std::optional<V>& value, const Test& test) {
  return !value || test(*value);
}
template <class V, class Test>
bool holds(const std::vector<V>& values, const Test& test) {
  return std::ranges::all_of(values, test);
}

template <class V>
V draw_between(Rng& rng, V min, V max) {
  if constexpr (std::is_same_v<V, double>) {
    return min + (max - min) * rng.unit();
  } else if constexpr (std::is_same_v<V, Duration>) {
    return Duration(rng.between(min.count(), max.count()));
  } else {
    const auto low = static_cast<std::int64_t>(min);
    const std::int64_t drawn = rng.between(low, static_cast<std::int64_t>(max));
    if constexpr (std::is_class_v<V>) {
      return V(static_cast<std::uint64_t>(drawn));
    } else {
      return static_cast<V>(drawn);
    }
  }
}

}  // namespace detail

template <class V>
Row<V>& Row<V>::range(Inner low, Inner high) {
  COPPICE_ASSERT(!(high < low));
  const std::string text =
      ValueCodec<Inner>::format(low) + " to " + ValueCodec<Inner>::format(high);
  row().range_text = text;
  row().checks.push_back([low, high, text](const void* value) -> std::string {
    const bool fine = detail::holds(*static_cast<const V*>(value), [&](const Inner& inner) {
      return !(inner < low) && !(high < inner);
    });
    return fine ? "" : "is out of range; allowed: " + text;
  });
  return *this;
}

template <class V>
Row<V>& Row<V>::count(std::size_t min, std::size_t max) {
  const std::string text = std::to_string(min) + " to " + std::to_string(max) + " items";
  row().range_text = text;
  row().checks.push_back([min, max, text](const void* value) -> std::string {
    const std::size_t n = static_cast<const V*>(value)->size();
    return n >= min && n <= max ? "" : "has " + std::to_string(n) + " items; allowed: " + text;
  });
  return *this;
}

template <class V>
Row<V>& Row<V>::must(std::string_view what, bool (*test)(const V&)) {
  row().range_text = what;
  row().checks.push_back([what = std::string(what), test](const void* value) -> std::string {
    return test(*static_cast<const V*>(value)) ? "" : "must " + what;
  });
  return *this;
}

template <class V>
Row<V>& Row<V>::required() {
  row().required = true;
  return *this;
}

template <class V>
Row<V>& Row<V>::flag(std::string_view name) {
  row().flag = name;
  return *this;
}

template <class V>
Row<V>& Row<V>::sim(Inner low, Inner high) {
  row().draw = [low, high](void* value, Rng& rng) {
    *static_cast<V*>(value) = V(detail::draw_between<Inner>(rng, low, high));
  };
  return *this;
}

template <class T>
template <class V>
FieldRow Fields<T>::base_row(std::string_view key, V T::* member, std::string_view help) {
  FieldRow row;
  row.key = key;
  row.help = help;
  row.member = [member](void* object) -> void* { return &(static_cast<T*>(object)->*member); };
  return row;
}

template <class T>
template <class V>
Row<V> Fields<T>::add(FieldRow row) {
  T defaults{};
  if (row.format) row.default_text = row.format(row.member(&defaults));
  table_.add(std::move(row));
  return Row<V>(table_, table_.rows().size() - 1);
}

template <class T>
template <class V>
Row<V> Fields<T>::value(std::string_view key, V T::* member, std::string_view help) {
  FieldRow row = base_row(key, member, help);
  row.type = ValueCodec<V>::type();
  row.decode = [](const ConfigValue& from, void* value) {
    return ValueCodec<V>::decode(from, *static_cast<V*>(value));
  };
  row.format = [](const void* value) {
    return ValueCodec<V>::format(*static_cast<const V*>(value));
  };
  return add<V>(std::move(row));
}

template <class T>
template <class E>
Row<E> Fields<T>::choice(std::string_view key, E T::* member,
                         std::initializer_list<std::pair<std::string_view, E>> words,
                         std::string_view help) {
  FieldRow row = base_row(key, member, help);
  const std::vector<std::pair<std::string, E>> list(words.begin(), words.end());
  std::string all;
  for (const auto& [word, value] : list) all += (all.empty() ? "" : ", ") + word;
  row.type = "one of " + all;
  row.decode = [list, all](const ConfigValue& from, void* value) -> MaybeComplaint {
    std::string text;
    if (auto complaint = decode_string(from, text)) return complaint;
    for (const auto& [word, meaning] : list) {
      if (word != text) continue;
      *static_cast<E*>(value) = meaning;
      return {};
    }
    return Complaint{from.at, "unknown word \"" + text + "\"; it is one of: " + all};
  };
  row.format = [list](const void* value) -> std::string {
    for (const auto& [word, meaning] : list) {
      if (meaning == *static_cast<const E*>(value)) return format_string(word);
    }
    return "?";
  };
  return add<E>(std::move(row));
}

template <class T>
template <class Interface>
Row<std::string> Fields<T>::instance(std::string_view key, std::string T::* member,
                                     std::string_view help) {
  Row<std::string> row = value(key, member, help);
  FieldRow& added = table_.rows().back();
  added.refers_to = interface_ref<Interface>();
  added.type = "instance of " + std::string(added.refers_to.name);
  return row;
}

template <class T>
template <class Interface>
Row<std::vector<std::string>> Fields<T>::instances(std::string_view key,
                                                   std::vector<std::string> T::* member,
                                                   std::string_view help) {
  Row<std::vector<std::string>> row = value(key, member, help);
  FieldRow& added = table_.rows().back();
  added.refers_to = interface_ref<Interface>();
  added.refers_to_many = true;
  added.type = "list of instances of " + std::string(added.refers_to.name);
  return row;
}

template <class T>
template <class S>
void Fields<T>::section(std::string_view key, S T::* member, std::string_view help) {
  FieldRow row = base_row(key, member, help);
  row.type = "table";
  row.table = describe_config<S>();
  row.each_entry = [](void* value, const std::function<void(void*)>& visit) { visit(value); };
  add<S>(std::move(row));
}

template <class T>
template <class S>
void Fields<T>::sections(std::string_view key, std::map<std::string, S> T::* member,
                         std::string_view help) {
  using Map = std::map<std::string, S>;
  FieldRow row = base_row(key, member, help);
  row.type = "tables by name";
  row.table = describe_config<S>();
  row.entry = [](void* value, const std::string& name) -> void* {
    return &(*static_cast<Map*>(value))[name];
  };
  row.each_entry = [](void* value, const std::function<void(void*)>& visit) {
    for (auto& [name, entry] : *static_cast<Map*>(value)) visit(&entry);
  };
  add<Map>(std::move(row));
}

template <class T>
std::shared_ptr<const FieldTable> describe_config() {
  auto table = std::make_shared<FieldTable>();
  Fields<T> fields(*table);
  T::describe(fields);
  if constexpr (requires(const T& config, Complaints& complaints) {
                  T::check(config, complaints);
                }) {
    table->check = [](const void* object, Complaints& complaints) {
      T::check(*static_cast<const T*>(object), complaints);
    };
  }
  return table;
}

}  // namespace coppice
