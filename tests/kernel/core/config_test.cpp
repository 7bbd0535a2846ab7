// config_test.cpp — reading typed config out of TOML, and what is said when it is wrong.
#include "kernel/core/config.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "kernel/base/bytes.h"
#include "kernel/core/config_toml.h"
#include "tests/support/config_text.h"

namespace coppice {
namespace {

enum class Mode : std::uint8_t { kFast, kSafe };

struct InnerConfig {
  std::uint32_t threads = 1;
  static void describe(Fields<InnerConfig>& f) {
    f.value("threads", &InnerConfig::threads, "Threads of this lane.").range(1, 64);
  }
};

struct AllConfig {
  bool on = true;
  std::uint16_t port = 3210;
  double ratio = 0.5;
  std::string name = "x";
  Size size = 10_GiB;
  Duration wait = 50ms;
  Mode mode = Mode::kFast;
  std::optional<Size> total;
  std::vector<std::string> words = {"a", "b"};
  Secret password;
  InnerConfig inner;
  std::map<std::string, InnerConfig> lanes;

  static void describe(Fields<AllConfig>& f) {
    f.value("on", &AllConfig::on, "Whether.");
    f.value("port", &AllConfig::port, "TCP port.").range(1, 65535);
    f.value("ratio", &AllConfig::ratio, "A part of one.").range(0, 1);
    f.value("name", &AllConfig::name, "A name.").must("not be empty", [](const std::string& name) {
      return !name.empty();
    });
    f.value("size", &AllConfig::size, "How much.").range(64_MiB, 1_TiB).sim(64_KiB, 1_MiB);
    f.value("wait", &AllConfig::wait, "How long.").range(1ms, 10s).sim(1us, 1ms);
    f.choice("mode", &AllConfig::mode, {{"fast", Mode::kFast}, {"safe", Mode::kSafe}}, "How.");
    f.value("total", &AllConfig::total, "All of it.").range(1_MiB, 1_TiB);
    f.value("words", &AllConfig::words, "Some words.").count(1, 3);
    f.value("password", &AllConfig::password, "Not printed.");
    f.section("inner", &AllConfig::inner, "A table inside.");
    f.sections("lanes", &AllConfig::lanes, "Tables by name.");
  }
  static void check(const AllConfig& c, Complaints& complaints) {
    if (c.mode == Mode::kSafe && !c.on) complaints.add("on", "must be true when mode is \"safe\"");
  }
};

std::string problems_of(std::string_view text) {
  const auto config = config_from_text<AllConfig>(text);
  return config ? "" : config.error().message();
}

TEST_CASE("every type of value is read") {
  const auto config = config_from_text<AllConfig>(R"(
on = false
port = 5432
ratio = 0.25
name = "y"
size = "64MiB"
wait = "2s"
mode = "safe"
total = "2GiB"
words = ["one", "two", "three"]
password = "hunter2"
inner = {threads = 4}
lanes.raft = {threads = 2}
lanes.query = {}
on_ = 1
)");
  REQUIRE_FALSE(config);  // on_ is no key, and safe needs on
  const auto good = config_from_text<AllConfig>(R"(
port = 5432
ratio = 1
size = "64MiB"
wait = "2s"
mode = "safe"
total = "2GiB"
words = ["one"]
password = "hunter2"
[inner]
threads = 4
[lanes.raft]
threads = 2
[lanes.query]
)");
  REQUIRE(good);
  CHECK(good->on);
  CHECK(good->port == 5432);
  CHECK(good->ratio == 1.0);
  CHECK(good->size == 64_MiB);
  CHECK(good->wait == 2s);
  CHECK(good->mode == Mode::kSafe);
  CHECK(good->total->bytes == 2_GiB);
  CHECK(good->words == std::vector<std::string>{"one"});
  CHECK(good->password.reveal() == "hunter2");
  CHECK(good->inner.threads == 4);
  REQUIRE(good->lanes.size() == 2);
  CHECK(good->lanes.at("raft").threads == 2);
  CHECK(good->lanes.at("query").threads == 1);
}

TEST_CASE("a wrong value is said with its place, section, key and what is allowed") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"prot = 1", R"(test.toml:1:1: [test] prot: unknown key; did you mean "port"?)"},
      {"zzz = 1", "test.toml:1:1: [test] zzz: unknown key"},
      {"port = 0", "test.toml:1:8: [test] port: is out of range; allowed: 1 to 65535"},
      {"port = 65536", "test.toml:1:8: [test] port: is out of range; allowed: 0 to 65535"},
      {"port = -1", "test.toml:1:8: [test] port: is out of range; allowed: 0 to 65535"},
      {"port = \"1\"", "test.toml:1:8: [test] port: expected an integer, got a string"},
      {"on = 1", "test.toml:1:6: [test] on: expected true or false, got an integer"},
      {"ratio = nan", "test.toml:1:9: [test] ratio: must be finite"},
      {"name = \"\"", "test.toml:1:8: [test] name: must not be empty"},
      {"size = 5",
       R"(test.toml:1:8: [test] size: expected a size such as "64MiB", got an integer)"},
      {"size = \"5\"", R"(test.toml:1:8: [test] size: needs a unit, as in "64MiB")"},
      {"size = \"5GB\"",
       R"(test.toml:1:8: [test] size: unknown unit "GB"; units are: B, KiB, MiB, GiB, TiB)"},
      {"size = \"99999999999TiB\"", "test.toml:1:8: [test] size: is too large"},
      {"size = \"99999999999999999999999B\"", "test.toml:1:8: [test] size: is too large"},
      {"size = \"1KiB\"",
       R"(test.toml:1:8: [test] size: is out of range; allowed: "64MiB" to "1TiB")"},
      {"wait = \"1h\"", R"(test.toml:1:8: [test] wait: is out of range; allowed: "1ms" to "10s")"},
      {"wait = \"-1s\"",
       R"(test.toml:1:8: [test] wait: expected something like "50ms", got "-1s")"},
      {"mode = \"slow\"",
       R"(test.toml:1:8: [test] mode: unknown word "slow"; it is one of: fast, safe)"},
      {"total = \"1KiB\"",
       R"(test.toml:1:9: [test] total: is out of range; allowed: "1MiB" to "1TiB")"},
      {"words = []", "test.toml:1:9: [test] words: has 0 items; allowed: 1 to 3 items"},
      {"words = [\"a\", 2]", "test.toml:1:15: [test] words: expected a string, got an integer"},
      {"inner = 3", "test.toml:1:9: [test] inner: expected a table, got an integer"},
      {"lanes = {raft = 3}", "test.toml:1:17: [test.lanes] raft: expected a table, got an integer"},
      {"[lanes.raft]\nthread = 3",
       R"(test.toml:2:1: [test.lanes.raft] thread: unknown key; did you mean "threads"?)"},
      {"mode = \"safe\"\non = false",
       R"(test.toml:2:6: [test] on: must be true when mode is "safe")"},
      {"name = 2020-01-01", "test.toml:1:8: [test] name: expected a string, got a date or time"},
  };
  for (const auto& [text, message] : cases) {
    CAPTURE(text);
    CHECK(problems_of(text) == std::string(message) + "\n1 problem; nothing was started");
  }
}

TEST_CASE("all problems are listed at once, in the order of the file") {
  CHECK(problems_of("wait = 3\nport = 0\n") ==
        "test.toml:1:8: [test] wait: expected a duration such as \"50ms\", got an integer\n"
        "test.toml:2:8: [test] port: is out of range; allowed: 1 to 65535\n"
        "2 problems; nothing was started");
}

TEST_CASE("problems beyond the bound are counted, not kept") {
  Problems problems;
  for (int i = 0; i < 120; ++i) problems.add("bad");
  CHECK(problems.to_string().ends_with("and 20 more\n120 problems; nothing was started"));
}

TEST_CASE("a secret is never printed, and may come from the environment") {
  ::setenv("COPPICE_TEST_SECRET", "sesame", 1);
  const auto config = config_from_text<AllConfig>(R"(password = {env = "COPPICE_TEST_SECRET"})");
  REQUIRE(config);
  CHECK(config->password.reveal() == "sesame");
  CHECK(ValueCodec<Secret>::format(config->password) == "***");
  CHECK(problems_of(R"(password = {env = "COPPICE_TEST_ABSENT"})")
            .starts_with("test.toml:1:12: [test] password: environment variable "
                         "\"COPPICE_TEST_ABSENT\" is not set"));
  CHECK(problems_of("password = {en = \"X\"}")
            .starts_with("test.toml:1:12: [test] password: expected a string or {env = \"NAME\"}"));
}

TEST_CASE("a row knows its default, its range and its type") {
  const auto table = describe_config<AllConfig>();
  const auto row = [&](std::string_view key) -> const FieldRow& { return *table->find(key); };
  CHECK(row("size").default_text == "\"10GiB\"");
  CHECK(row("size").range_text == "\"64MiB\" to \"1TiB\"");
  CHECK(row("size").type == "size");
  CHECK(row("wait").default_text == "\"50ms\"");
  CHECK(row("total").default_text == "\"auto\"");
  CHECK(row("total").type == "size or \"auto\"");
  CHECK(row("words").default_text == R"(["a", "b"])");
  CHECK(row("mode").type == "one of fast, safe");
  CHECK(row("mode").default_text == "\"fast\"");
  CHECK(row("ratio").default_text == "0.5");
}

TEST_CASE("a printed value reads back as itself") {
  Rng rng(7);
  for (int round = 0; round < 1000; ++round) {
    const Size size(rng.next() >> (1 + rng.below(62)));
    std::string text = format_size(size);
    CHECK(parse_size(std::string_view(text).substr(1, text.size() - 2))->bytes == size.bytes);
    const Duration duration(static_cast<std::int64_t>(rng.next() >> (1 + rng.below(62))));
    text = format_duration(duration);
    CHECK(*parse_duration(std::string_view(text).substr(1, text.size() - 2)) == duration);
  }
  const auto back = parse_toml("v = " + format_string("a\"b\\c\n\x01\x7f"), "t");
  REQUIRE(back);
  CHECK(*back->find_member("v")->value.as_string() == "a\"b\\c\n\x01\x7f");
}

TEST_CASE("a simulation draws within the sim range, and only where there is one") {
  Rng rng(1);
  bool moved = false;
  for (int round = 0; round < 100; ++round) {
    AllConfig config;
    draw_sim_values(*describe_config<AllConfig>(), &config, rng);
    CHECK(config.size >= 64_KiB);
    CHECK(config.size <= 1_MiB);
    CHECK(config.wait >= 1us);
    CHECK(config.wait <= 1ms);
    CHECK(config.port == 3210);
    moved = moved || config.size != 64_KiB;
  }
  CHECK(moved);
}

TEST_CASE("TOML that does not parse is said with its place") {
  const auto tree = parse_toml("a = 1\nb = [1,\n", "x.toml");
  REQUIRE_FALSE(tree);
  CHECK(tree.error().code() == Code::kInvalidArgument);
  CHECK(tree.error().message().starts_with("x.toml:"));
  for (const std::string_view text : {"[\n", "[[\n", "[a.\n", "[ \n", "a.\n=1"}) {
    CAPTURE(text);  // an assert of toml++ ended the process here
    CHECK_FALSE(parse_toml(text, "x.toml"));
  }
  for (unsigned letter = 0xa1; letter < 0x4a0; ++letter) {  // undefined behaviour in toml++ 3.3
    std::string text = "[kernel";
    text += static_cast<char>(0xc0 | (letter >> 6));
    text += static_cast<char>(0x80 | (letter & 0x3f));
    CHECK_FALSE(parse_toml(text + "]\n", "x.toml"));
  }
  CHECK_FALSE(parse_toml(std::string(kConfigBytesMax + 1, '#'), "x.toml"));
  std::string deep = "a = ";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  CHECK_FALSE(parse_toml(deep, "x.toml"));
}

TEST_CASE("an override sets one key, typed when it is TOML and a string when not") {
  auto tree = parse_toml("[lsm]\nvfs = \"data\"\n", "x.toml");
  REQUIRE(tree);
  CHECK(override_config(*tree, "lsm.size", "10GiB", "--set lsm.size=10GiB"));
  CHECK(override_config(*tree, "lsm.vfs", "wal", "--set"));
  CHECK(override_config(*tree, "kernel.modules", "[\"a\", \"b\"]", "--set"));
  CHECK(override_config(*tree, "kernel.n", "3", "--set"));
  CHECK(override_config(*tree, "kernel.text", "a\nb = 3", "--set"));
  const ConfigValue& lsm = tree->find_member("lsm")->value;
  CHECK(*lsm.find_member("size")->value.as_string() == "10GiB");
  CHECK(lsm.find_member("size")->value.at.to_string() == "--set lsm.size=10GiB");
  CHECK(*lsm.find_member("vfs")->value.as_string() == "wal");
  const ConfigValue& kernel = tree->find_member("kernel")->value;
  CHECK(kernel.find_member("modules")->value.as_list()->size() == 2);
  CHECK(*kernel.find_member("n")->value.as_integer() == 3);
  CHECK(*kernel.find_member("text")->value.as_string() == "a\nb = 3");
  CHECK_FALSE(override_config(*tree, "lsm..x", "1", "--set"));
  CHECK_FALSE(override_config(*tree, "", "1", "--set"));
  const auto through_value = override_config(*tree, "lsm.vfs.x", "1", "--set lsm.vfs.x=1");
  REQUIRE_FALSE(through_value);
  CHECK(through_value.error().message() ==
        "--set lsm.vfs.x=1: what stands before \"x\" is no table");
}

}  // namespace
}  // namespace coppice
