// module.h — what a module's author needs: Module, Needs, Offers, Decorates, Deps, Publish.
//
//   class LsmModule final : public Module {
//    public:
//     static constexpr std::string_view kName = "lsm";
//     static constexpr std::string_view kSummary = "LSM forest storage engine";
//     using Config = LsmConfig;
//     using Needs = coppice::Needs<One<Vfs>, Optional<Meter>, Any<Codec>>;
//     using Offers = coppice::Offers<Engine>;
//     static Result<std::unique_ptr<LsmModule>> create(const LsmConfig& config, Deps<Needs> deps);
//     void publish(Publish<Offers> to) { to.offer<Engine>(forest_); }
//     Status start() override;
//     void stop(Deadline deadline) noexcept override;
//   };
//
// The kernel's promise: a reference you got in create() outlives you; when your stop() runs,
// everyone who could call you has stopped.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "kernel/core/config.h"
#include "kernel/core/interface_name.h"
#include "kernel/core/part_context.h"
#include "kernel/core/services.h"

namespace coppice {

class Module {
 public:
  virtual ~Module() = default;

  // Runs on the boot fiber after everything this module needs has started. May park, may spawn.
  // After an error stop() is not called; the destructor is.
  virtual Status start() { return {}; }

  // Joins every fiber of the module. May park until `deadline`; what is not done then is dropped,
  // which must be as safe as a crash.
  virtual void stop(Deadline deadline) noexcept { static_cast<void>(deadline); }
};

enum class NeedKind : std::uint8_t { kOne, kOptional, kAny, kEveryKind };

template <class X>
struct One {  // exactly one; get<X>() gives the reference
  using Interface = X;
  static constexpr NeedKind kKind = NeedKind::kOne;
};
template <class X>
struct Optional {  // one or none; find<X>() gives a pointer
  using Interface = X;
  static constexpr NeedKind kKind = NeedKind::kOptional;
};
template <class X>
struct Any {  // all instances the config defines; all<X>() and get<X>(name)
  using Interface = X;
  static constexpr NeedKind kKind = NeedKind::kAny;
};
// Any, and beside the configured instances one of every kind in the binary, with default config and
// the kind as its name: all codecs that a block may name, all SQL packs.
template <class X>
struct EveryKind {
  using Interface = X;
  static constexpr NeedKind kKind = NeedKind::kEveryKind;
};

template <class... Declared>
struct Needs {
  // Whether X is declared in one of these ways.
  template <class X>
  static constexpr bool declares(std::initializer_list<NeedKind> kinds) {
    bool found = false;
    for (const NeedKind kind : kinds) {
      found = found ||
              ((std::is_same_v<typename Declared::Interface, X> && Declared::kKind == kind) || ...);
    }
    return found;
  }
};
template <class... Interfaces>
struct Offers {
  template <class X>
  static constexpr bool has = (std::is_same_v<Interfaces, X> || ...);
};
// Receives the plugin instances of X as the kernel made them, and publishes its own under the same
// names.
template <class... Interfaces>
struct Decorates {
  template <class X>
  static constexpr bool has = (std::is_same_v<Interfaces, X> || ...);
};

// Which instance get<X>() gives to one module; found when the config was checked.
class Bindings {
 public:
  void bind(TypeId type, std::string instance) { bound_.emplace_back(type, std::move(instance)); }
  const std::string* find(TypeId type) const {
    for (const auto& [bound, instance] : bound_) {
      if (bound == type) return &instance;
    }
    return nullptr;
  }

 private:
  std::vector<std::pair<TypeId, std::string>> bound_;
};

// What create() may reach, and nothing else: an undeclared interface does not compile.
template <class N, class D = Decorates<>>
class Deps {
 public:
  Deps(const Services& services, const Services& raw, const Bindings& bindings,
       const PartContext& context)
      : services_(services), raw_(raw), bindings_(bindings), context_(context) {}

  template <class X>
    requires(N::template declares<X>({NeedKind::kOne}))
  X& get() const {
    X* found = find_bound<X>();
    COPPICE_ASSERT(found != nullptr);  // checked in phase 2
    return *found;
  }
  // By the name that a config key of this module holds.
  template <class X>
    requires(N::template declares<X>({NeedKind::kOne, NeedKind::kAny, NeedKind::kEveryKind}))
  X& get(std::string_view instance) const {
    X* found = services_.find<X>(instance);
    COPPICE_ASSERT(found != nullptr);
    return *found;
  }
  template <class X>
    requires(N::template declares<X>({NeedKind::kOptional}))
  X* find() const {
    return find_bound<X>();
  }
  template <class X>
    requires(N::template declares<X>({NeedKind::kAny, NeedKind::kEveryKind}))
  std::vector<Instance<X>> all() const {
    return services_.all<X>();
  }
  // The undecorated plugin instances.
  template <class X>
    requires(D::template has<X>)
  std::vector<Instance<X>> raw() const {
    return raw_.all<X>();
  }

  const PartContext& context() const { return context_; }
  fiber::Runtime& runtime() const { return context_.runtime(); }
  const Clock& clock() const { return context_.clock(); }
  const Log& log() const { return context_.log(); }
  Metrics& metrics() const { return context_.metrics(); }
  Tracer& tracer() const { return context_.tracer(); }
  Rng rng(std::string_view purpose = "") const { return context_.rng(purpose); }
  std::uint64_t memory_total() const { return context_.memory_total(); }
  const std::string& data_dir() const { return context_.data_dir(); }

 private:
  template <class X>
  X* find_bound() const {
    const std::string* instance = bindings_.find(type_id<X>());
    return instance == nullptr ? nullptr : services_.find<X>(*instance);
  }
  const Services& services_;
  const Services& raw_;
  const Bindings& bindings_;
  const PartContext& context_;
};

// Where a module hands in what it offers; called once, after create().
template <class O, class D = Decorates<>>
class Publish {
 public:
  explicit Publish(Services& services) : services_(services) {}

  template <class X>
    requires(O::template has<X>)
  void offer(std::type_identity_t<X>& object) {
    services_.publish<X>("", object);
  }
  template <class X>
    requires(D::template has<X>)
  void offer(std::string_view instance, std::type_identity_t<X>& object) {
    services_.publish<X>(instance, object);
  }

 private:
  Services& services_;
};

}  // namespace coppice
