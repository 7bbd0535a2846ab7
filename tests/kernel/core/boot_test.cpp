// boot_test.cpp — the order in which parts are made, started and stopped, and what a failure does.
#include "kernel/core/boot.h"

#include <doctest/doctest.h>

#include "kernel/base/bytes.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sync.h"
#include "tests/support/kernel_fixture.h"

namespace coppice {
namespace {

// What happened, in order. The one place where these parts reach outside of themselves.
struct Diary {
  std::vector<std::string> entries;
  void note(std::string_view who, std::string_view what) {
    entries.push_back(std::string(who) + " " + std::string(what));
  }
};

struct Water {  // interfaces
  virtual ~Water() = default;
  virtual std::string taste() const = 0;
};
struct Pump {
  virtual ~Pump() = default;
  virtual std::string kind() const = 0;
};
struct Roof {};

struct SpringConfig {
  std::string taste = "fresh";
  std::uint32_t depth = 7;
  static void describe(Fields<SpringConfig>& f) {
    f.value("taste", &SpringConfig::taste, "How it tastes.");
    f.value("depth", &SpringConfig::depth, "Metres.").range(1, 1000).sim(100, 199);
  }
};

class SpringWater final : public Water {  // a plugin
 public:
  static constexpr std::string_view kKind = "spring";
  using Config = SpringConfig;
  static Result<std::unique_ptr<Water>> create(const SpringConfig& config, PluginContext& context) {
    if (config.taste == "none") return fail(Code::kOutOfMemory, "dry");
    context.log().info("made", "taste={} depth={}", config.taste, config.depth);
    return std::make_unique<SpringWater>(config.taste);
  }
  explicit SpringWater(std::string taste) : taste_(std::move(taste)) {}
  std::string taste() const override { return taste_; }

 private:
  std::string taste_;
};

class Noted : public Module {
 public:
  Noted(Diary& diary, std::string_view name) : diary_(diary), name_(name) {
    diary_.note(name_, "made");
  }
  ~Noted() override { diary_.note(name_, "gone"); }
  Status start() override {
    diary_.note(name_, "started");
    return {};
  }
  void stop(Deadline) noexcept override { diary_.note(name_, "stopped"); }

 protected:
  Diary& diary_;
  std::string_view name_;
};

struct WellConfig {
  std::string water = "deep";
  static void describe(Fields<WellConfig>& f) {
    f.instance<Water>("water", &WellConfig::water, "What is in it.");
  }
};

class WellModule final : public Noted, public Pump {
 public:
  static constexpr std::string_view kName = "well";
  static constexpr std::string_view kSummary = "a hole with water";
  using Config = WellConfig;
  using Needs = coppice::Needs<One<Water>, One<Diary>, Any<Water>>;
  using Offers = coppice::Offers<Pump>;
  static Result<std::unique_ptr<WellModule>> create(const WellConfig&, Deps<Needs> deps) {
    CHECK(deps.all<Water>().size() == 2);
    return std::make_unique<WellModule>(deps.get<Diary>(), deps.get<Water>());
  }
  WellModule(Diary& diary, Water& water) : Noted(diary, kName), water_(water) {}
  void publish(Publish<Offers> to) { to.offer<Pump>(*this); }
  std::string kind() const override { return "pumps " + water_.taste() + " water"; }

 private:
  Water& water_;
};

class HouseModule final : public Noted {
 public:
  static constexpr std::string_view kName = "house";
  static constexpr std::string_view kSummary = "needs a pump, may have a roof";
  using Config = NoConfig;
  using Needs = coppice::Needs<One<Pump>, One<Diary>, Optional<Roof>>;
  using Offers = coppice::Offers<>;
  static Result<std::unique_ptr<HouseModule>> create(const NoConfig&, Deps<Needs> deps) {
    deps.get<Diary>().note(kName, deps.find<Roof>() == nullptr ? "has no roof" : "has a roof");
    deps.get<Diary>().note(kName, deps.get<Pump>().kind());
    return std::make_unique<HouseModule>(deps.get<Diary>(), kName);
  }
  using Noted::Noted;
};

class BrokenModule final : public Noted {
 public:
  static constexpr std::string_view kName = "broken";
  static constexpr std::string_view kSummary = "does not start";
  using Config = NoConfig;
  using Needs = coppice::Needs<One<Diary>, One<Pump>>;
  using Offers = coppice::Offers<>;
  static Result<std::unique_ptr<BrokenModule>> create(const NoConfig&, Deps<Needs> deps) {
    return std::make_unique<BrokenModule>(deps.get<Diary>(), kName);
  }
  using Noted::Noted;
  Status start() override { return fail(Code::kUnsupportedVersion, "from the future"); }
};

class ForgetfulModule final : public Module {
 public:
  static constexpr std::string_view kName = "forgetful";
  static constexpr std::string_view kSummary = "offers and does not publish";
  using Config = NoConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<Roof>;
  static Result<std::unique_ptr<ForgetfulModule>> create(const NoConfig&, Deps<Needs>) {
    return std::make_unique<ForgetfulModule>();
  }
};

class SaltyWater final : public Water {
 public:
  explicit SaltyWater(Water& raw) : raw_(raw) {}
  std::string taste() const override { return "salty " + raw_.taste(); }

 private:
  Water& raw_;
};

class SaltModule final : public Module {  // decorates all water
 public:
  static constexpr std::string_view kName = "salt";
  static constexpr std::string_view kSummary = "salts water";
  using Config = NoConfig;
  using Needs = coppice::Needs<>;
  using Offers = coppice::Offers<>;
  using Decorates = coppice::Decorates<Water>;
  static Result<std::unique_ptr<SaltModule>> create(const NoConfig&, Deps<Needs, Decorates> deps) {
    auto made = std::make_unique<SaltModule>();
    for (const auto& [name, water] : deps.raw<Water>()) {
      made->salted_.emplace_back(std::string(name), std::make_unique<SaltyWater>(*water));
    }
    return made;
  }
  void publish(Publish<Offers, Decorates> to) {
    for (auto& [name, water] : salted_) to.offer<Water>(name, *water);
  }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<SaltyWater>>> salted_;
};

constexpr std::string_view kTwoWaters = R"(
[water.deep]
kind = "spring"
taste = "cold"
[water.rain]
kind = "spring"
[kernel]
stop_timeout = "3s"
)";

struct Village {
  Diary diary;
  KernelFixture k;
  Village() {
    k.plugin<Water, SpringWater>();
    k.provide<Diary>(diary);
    k.toml(kTwoWaters);
  }
};

TEST_CASE("parts are made and started after what they need, and stopped and destroyed before it") {
  Village village;
  village.k.load<HouseModule>();  // the order of loading does not matter
  village.k.load<WellModule>();
  REQUIRE(village.k.run(
      [&](Boot& boot) { village.diary.note("body", boot.services().find<Pump>("")->kind()); }));
  const std::vector<std::string> expected = {"well made",
                                             "house has no roof",
                                             "house pumps cold water",
                                             "house made",
                                             "well started",
                                             "house started",
                                             "body pumps cold water",
                                             "house stopped",
                                             "well stopped",
                                             "house gone",
                                             "well gone"};
  CHECK(village.diary.entries == expected);
  CHECK(village.k.log().has("kernel: started module=well took_ms=0.000"));
  CHECK(village.k.log().has("kernel: stopped module=house"));
  CHECK(village.k.log().has("water.deep: made taste=cold"));
}

TEST_CASE("an instance is chosen by a key of the config") {
  Village village;
  village.k.load<WellModule>();
  village.k.toml("[well]\nwater = \"rain\"");
  CHECK(village.k.run(
      [](Boot& boot) { CHECK(boot.services().find<Pump>("")->kind() == "pumps fresh water"); }));
}

TEST_CASE("an optional need is met when somebody provides it") {
  Village village;
  Roof roof;
  village.k.load<WellModule>();
  village.k.load<HouseModule>();
  village.k.provide<Roof>(roof);
  REQUIRE(village.k.boot());
  CHECK(village.diary.entries[1] == "house has a roof");
}

TEST_CASE("a decorator gets the raw instances, and everybody else gets its own") {
  Village village;
  village.k.load<WellModule>();
  village.k.load<SaltModule>();
  CHECK(village.k.run([](Boot& boot) {
    CHECK(boot.services().find<Pump>("")->kind() == "pumps salty cold water");
    CHECK(boot.services().find<Water>("rain")->taste() == "salty fresh");
  }));
}

TEST_CASE("when a start fails, what had started is stopped in reverse and the error is named") {
  Village village;
  village.k.load<BrokenModule>();
  village.k.load<WellModule>();
  village.k.load<HouseModule>();
  bool body_ran = false;
  const Status booted = village.k.run([&](Boot&) { body_ran = true; });
  REQUIRE_FALSE(booted);
  CHECK_FALSE(body_ran);
  CHECK(booted.error().code() == Code::kUnsupportedVersion);
  CHECK(booted.error().to_string() == "starting module \"broken\": from the future");
  const auto& entries = village.diary.entries;
  CHECK(std::ranges::count(entries, "well stopped") == 1);
  CHECK(std::ranges::count(entries, "broken stopped") == 0);
  CHECK(std::ranges::count(entries, "broken gone") == 1);
  CHECK(std::ranges::count(entries, "house started") == 0);
}

TEST_CASE("when a plugin cannot be made, nothing is started and the section is named") {
  Village village;
  village.k.load<WellModule>();
  village.k.toml("[water.bad]\nkind = \"spring\"\ntaste = \"none\"");
  const Status booted = village.k.boot();
  REQUIRE_FALSE(booted);
  CHECK(booted.error().to_string() == "creating [water.bad]: dry");
  CHECK(village.diary.entries.empty());
}

TEST_CASE("a simulation may draw the config") {
  Village village;
  village.k.load<WellModule>();
  REQUIRE(village.k.boot());
  CHECK(village.k.log().has("water.deep: made taste=cold depth=7"));
  village.k.draw_config();
  REQUIRE(village.k.boot());
  CHECK(village.k.log().has("water.deep: made taste=cold depth=1"));  // 100 to 199
}

TEST_CASE("a module that does not publish what it offers is told so") {
  KernelFixture k;
  k.load<ForgetfulModule>();
  const Status booted = k.boot();
  REQUIRE_FALSE(booted);
  CHECK(booted.error().code() == Code::kInternal);
  CHECK(booted.error().message() ==
        "module \"forgetful\" declares that it offers roof, but publish() did not");
}

TEST_CASE("problems of the config come out of the fixture as from the server") {
  KernelFixture k;
  k.load<HouseModule>();
  k.toml("[hous]\n");
  const Status booted = k.boot();
  REQUIRE_FALSE(booted);
  CHECK(booted.error().message() ==
        "test.toml:1:2: [hous]: unknown section; did you mean [house]?\n"
        "module \"house\" needs pump, which nothing in this binary offers\n"
        "module \"house\" needs diary, which nothing in this binary offers\n"
        "3 problems; nothing was started");
}

TEST_CASE("a part's randomness depends on seed, name and purpose alone") {
  fiber::SimRuntime runtime(1);
  LogHub logs(runtime.clock(), std::make_unique<CaptureSink>(), LogLevel::kInfo);
  Metrics metrics;
  Tracer tracer(runtime.clock(), 1);
  const auto draw = [&](std::uint64_t seed, std::string name, std::string_view purpose) {
    const KernelServices kernel{runtime, runtime.clock(), logs, metrics, tracer, seed, 1, ""};
    return PartContext(kernel, std::move(name)).rng(purpose).next();
  };
  CHECK(draw(1, "lsm", "") == draw(1, "lsm", ""));
  CHECK(draw(1, "lsm", "") != draw(2, "lsm", ""));
  CHECK(draw(1, "lsm", "") != draw(1, "raft", ""));
  CHECK(draw(1, "lsm", "") != draw(1, "lsm", "jitter"));
}

TEST_CASE("log lines of a fiber name it") {
  fiber::SimRuntime runtime(1);
  auto made = std::make_unique<CaptureSink>();
  const CaptureSink& sink = *made;
  LogHub logs(runtime.clock(), std::move(made), LogLevel::kInfo);
  const Log log(logs, "lsm");
  REQUIRE(runtime.run(
      [&] { fiber::spawn({.name = "flush"}, [&] { log.info("flushed", "tree={}", 7); }).join(); }));
  CHECK(sink.has("lsm: flushed tree=7 fiber=flush"));
}

TEST_CASE("a span is recorded with time and ticks") {
  fiber::SimRuntime runtime(1);
  Tracer tracer(runtime.clock(), 2);
  REQUIRE(runtime.run([&] {
    for (std::size_t i = 0; i < Tracer::kRingSpans + 10; ++i) {
      const Span span(tracer, "lsm.flush");
      CHECK_FALSE(fiber::Event().wait(fiber::clock().now() + 1ms));  // virtual time
    }
  }));
  const auto spans = tracer.recent();
  REQUIRE(spans.size() == Tracer::kRingSpans);  // the oldest ten are gone
  CHECK(tracer.recorded_total() == Tracer::kRingSpans + 10);
  CHECK(spans.front().name == std::string_view("lsm.flush"));
  CHECK(spans.front().took >= 1ms);
  CHECK(spans.front().start < spans.back().start);
}

}  // namespace
}  // namespace coppice
