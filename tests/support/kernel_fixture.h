// kernel_fixture.h — a kernel for one test: own inventory, simulated runtime, virtual clock, seeded
// randomness, captured log.
//
//   KernelFixture k;
//   k.load<LsmModule>();                    // the real thing
//   k.provide<Vfs>("data", disk);           // a stub stands in for module and plugin
//   k.toml(R"([lsm] vfs = "data")");
//   CHECK(k.run([&](Boot& boot) { … }));    // boots, runs the body on the boot fiber, stops
//
// Role:     the second choice: most tests construct a class with stubs and need no kernel.
// Holds:    nothing global; a test that logs at error level fails unless it expected that.
// Threads:  one, that of the test.
#pragma once

#include <doctest/doctest.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/core/boot.h"
#include "kernel/core/config_toml.h"
#include "kernel/core/inventory.h"
#include "kernel/core/metrics.h"
#include "kernel/core/trace.h"
#include "kernel/fiber/sim_runtime.h"
#include "tests/support/capture_log.h"

namespace coppice {

class KernelFixture {
 public:
  explicit KernelFixture(std::uint64_t seed = 1) : seed_(seed) {}

  // Registers the module and lists it in [kernel] modules.
  template <class M>
  void load() {
    inventory_.add_module<M>();
    modules_.emplace_back(M::kName);
  }
  // The same by name, for a module that only its register_in() knows: call that on inventory().
  void use(std::string module) { modules_.push_back(std::move(module)); }
  template <class Interface, class Impl>
  void plugin() {
    inventory_.add_plugin<Interface, Impl>();
  }
  // Published as if a module offered it. `object` outlives the fixture's use.
  template <class Interface>
  void provide(std::string_view instance, std::type_identity_t<Interface>& object) {
    provided_.push_back({interface_ref<Interface>(), std::string(instance), &object});
  }
  template <class Interface>
  void provide(std::type_identity_t<Interface>& object) {
    provide<Interface>("", object);
  }
  void toml(std::string_view text) { toml_ += std::string(text) + "\n"; }
  // Every key with a sim() range gets a value drawn from it, by the fixture's seed.
  void draw_config() { draw_config_ = true; }
  void memory_total(std::uint64_t bytes) { memory_total_ = bytes; }
  void data_dir(std::string path) { data_dir_ = std::move(path); }
  void expect_error_log(std::string part_of_line) { expected_.push_back(std::move(part_of_line)); }

  // Boots, stops, and says how the boot went.
  Status boot() {
    return run([](Boot&) {});
  }
  // Boots, runs `body` on the boot fiber, stops. The body is not run when the boot fails. A doctest
  // REQUIRE in the body ends the test as usual, after the stop.
  Status run(const std::function<void(Boot&)>& body) {
    fiber::SimRuntime runtime(seed_);
    LogHub logs(runtime.clock(), std::make_unique<ForwardSink>(log_), LogLevel::kTrace);
    Tracer tracer(runtime.clock(), 1);
    const KernelServices kernel{.runtime = runtime,
                                .clock = runtime.clock(),
                                .logs = logs,
                                .metrics = metrics_,
                                .tracer = tracer,
                                .seed = seed_,
                                .memory_total = memory_total_,
                                .data_dir = data_dir_};
    Status booted;
    std::exception_ptr thrown;
    Status ran = runtime.run([&] { booted = serve(kernel, body, thrown); });
    if (thrown) std::rethrow_exception(thrown);
    check_log();
    return ran ? std::move(booted) : std::move(ran);
  }

  Inventory& inventory() { return inventory_; }
  const CaptureSink& log() const { return log_; }
  Metrics& metrics() { return metrics_; }

 private:
  // The hub of each run owns its sink; what was said outlives the run.
  class ForwardSink final : public LogSink {
   public:
    explicit ForwardSink(CaptureSink& to) : to_(to) {}
    void write(const LogRecord& record) noexcept override { to_.write(record); }

   private:
    CaptureSink& to_;
  };

  Status serve(const KernelServices& kernel, const std::function<void(Boot&)>& body,
               std::exception_ptr& thrown) {
    ConfigValue tree = COPPICE_TRY(parse_toml(toml_, "test.toml"));
    list_modules(tree);
    Problems problems;
    BootPlan plan = plan_boot(inventory_, tree, provided_, problems);
    COPPICE_TRY(problems.to_status());
    if (draw_config_) draw(plan);
    Boot boot(std::move(plan), kernel, provided_);
    COPPICE_TRY(boot.create());
    COPPICE_TRY(boot.start());
    try {
      body(boot);
    } catch (...) {  // doctest's REQUIRE; handed on outside, since no park may happen in here
      thrown = std::current_exception();
    }
    boot.stop(boot.stop_deadline());
    return {};
  }

  void draw(BootPlan& plan) const {
    Rng rng(seed_);
    for (PlannedInstance& instance : plan.instances) {
      draw_sim_values(*instance.plugin->config.table, instance.config.get(), rng);
    }
    for (PlannedModule& module : plan.modules) {
      draw_sim_values(*module.entry->config.table, module.config.get(), rng);
    }
  }

  void list_modules(ConfigValue& tree) const {
    const ConfigPosition at{std::make_shared<const std::string>("load<>"), 0, 0};
    ConfigValue::List list;
    for (const std::string& name : modules_) {
      ConfigValue item;
      item.data = name;
      item.at = at;
      list.push_back(std::move(item));
    }
    tree.member("kernel", at).value.member("modules", at).value.data = std::move(list);
  }

  void check_log() const {
    for (const CaptureSink::Line& line : log_.lines()) {
      if (line.level != LogLevel::kError) continue;
      bool expected = false;
      for (const std::string& text : expected_) {
        expected = expected || line.text.find(text) != std::string::npos;
      }
      CHECK_MESSAGE(expected, "logged at error level: ", line.text);
    }
    for (const std::string& text : expected_) {
      CHECK_MESSAGE(log_.has(text), "expected in the log: ", text);
    }
  }

  const std::uint64_t seed_;
  Inventory inventory_;
  std::vector<std::string> modules_;
  std::vector<Provided> provided_;
  std::string toml_;
  std::uint64_t memory_total_ = std::uint64_t{64} << 20;
  std::string data_dir_ = "data";
  bool draw_config_ = false;
  std::vector<std::string> expected_;
  CaptureSink log_;
  Metrics metrics_;
};

}  // namespace coppice
