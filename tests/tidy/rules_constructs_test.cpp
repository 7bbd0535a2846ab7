// rules_constructs_test.cpp — banned words, naked new, COPPICE_TRY and range-for, on snippets.
#include <doctest/doctest.h>

#include "tests/tidy/snippets.h"

using namespace coppice::tidy;

namespace {

std::size_t count(Rule rule, const std::string& code) {
  return complaints(rule, Policy(), {{"modules/lsm/a.cpp", code}}).size();
}

Complaints banned(const std::string& path, const std::string& code) {
  Policy policy;
  policy.banned = {
      {"blocking", {"std::mutex", "sleep_for"}, {"modules"}, {"modules/raft"}, "use a fiber's"},
      {"exceptions", {"throw", "catch (...)"}, {}, {}, "errors are values"},
      {"randomness", {"rand("}, {}, {}, "use Rng"}};
  return complaints(check_banned, policy, {{path, code}});
}

}  // namespace

TEST_CASE("banned words are found as tokens, where they are banned") {
  CHECK(banned("modules/lsm/a.cpp", "int x;\nstd :: mutex m;") ==
        Complaints{"modules/lsm/a.cpp:2: blocking"});
  CHECK(banned("modules/lsm/a.cpp", "std::this_thread::sleep_for(1s);").size() == 1);
  CHECK(banned("modules/lsm/a.cpp", "try {} catch ( ... ) {}").size() == 1);
  CHECK(banned("modules/lsm/a.cpp", "#define F throw 1").size() == 1);
}

TEST_CASE("words in comments, strings, longer words and other folders are not found") {
  CHECK(
      banned("modules/lsm/a.cpp", "// std::mutex\n\"throw\"; operand(1); catch (E& e) {}").empty());
  CHECK(banned("modules/raft/a.cpp", "std::mutex m;").empty());
  CHECK(banned("kernel/fiber/a.cpp", "std::mutex m;").empty());
  CHECK(banned("modules/lsm/a.cpp", "dice.rand(6)").empty());
}

TEST_CASE("new has an owner in the same expression") {
  CHECK(count(check_naked_new, "auto p = new T;") == 1);
  CHECK(count(check_naked_new, "delete p;") == 1);
  CHECK(count(check_naked_new, "delete[] p;") == 1);
  CHECK(count(check_naked_new, "f(new T(1));") == 1);
  CHECK(count(check_naked_new, "auto p = std::unique_ptr<T>(new T(a, b));") == 0);
  CHECK(count(check_naked_new, "std::unique_ptr<T> p(new T);") == 0);
  CHECK(count(check_naked_new, "p.reset(new T);") == 0);
  CHECK(count(check_naked_new, "T* p = ::new (at) T(1);") == 0);  // places, does not allocate
  CHECK(count(check_naked_new, "T(const T&) = delete;") == 0);
}

TEST_CASE("COPPICE_TRY stands as a statement, after = and after return") {
  CHECK(count(check_try_place, "{ COPPICE_TRY(f()); COPPICE_TRY(g()); }") == 0);
  CHECK(count(check_try_place, "{ auto x = COPPICE_TRY(f()); x = COPPICE_TRY(g()).y; }") == 0);
  CHECK(count(check_try_place, "{ return COPPICE_TRY(f()); }") == 0);
  CHECK(count(check_try_place, "if (a) COPPICE_TRY(f()); else COPPICE_TRY(g());") == 0);
  CHECK(count(check_try_place, "switch (a) { case 1: COPPICE_TRY(f()); }") == 0);
  CHECK(count(check_try_place, "auto l = []() -> Status { COPPICE_TRY(f()); return {}; };") == 0);
}

TEST_CASE("COPPICE_TRY does not stand inside braces, calls or conditions") {
  CHECK(count(check_try_place, "return Pair{1, COPPICE_TRY(f())};") == 1);
  CHECK(count(check_try_place, "std::vector<int> v{COPPICE_TRY(f())};") == 1);
  CHECK(count(check_try_place, "Agg a{.x = COPPICE_TRY(f())};") == 1);
  CHECK(count(check_try_place, "Agg a{.x = 1, .y = COPPICE_TRY(f())};") == 1);
  CHECK(count(check_try_place, "g(COPPICE_TRY(f()));") == 1);
  CHECK(count(check_try_place, "g(1, COPPICE_TRY(f()));") == 1);
  CHECK(count(check_try_place, "x = a ? b : COPPICE_TRY(f());") == 1);
  CHECK(count(check_try_place, "for (int x : COPPICE_TRY(f())) {}") == 1);
  CHECK(count(check_try_place, "return !COPPICE_TRY(f());") == 1);
}

TEST_CASE("a loop does not look inside a temporary") {
  CHECK(count(check_range_for, "for (int x : load().items) {}") == 1);
  CHECK(count(check_range_for, "for (int x : load(a, b).items()) {}") == 1);
  CHECK(count(check_range_for, "for (int x : Loader{a}.items()) {}") == 1);
  CHECK(count(check_range_for, "for (int i = 0; int x : load().items()) {}") == 1);
  CHECK(count(check_range_for, "for (int x : *load()) {}") == 1);
  CHECK(count(check_range_for, "for (int x : make<T>(a).items()) {}") == 1);
}

TEST_CASE("a loop over a temporary itself, or over what has a name, is fine") {
  CHECK(count(check_range_for, "for (int x : load()) {}") == 0);
  CHECK(count(check_range_for, "for (int x : loaded.items()) {}") == 0);
  CHECK(count(check_range_for, "for (int x : loaded->items) {}") == 0);
  CHECK(count(check_range_for, "for (int i = a ? b().c : d; i < e().f; ++i) {}") == 0);
  CHECK(count(check_range_for, "for (int x : *table.find_list(a)) {}") == 0);
  CHECK(count(check_range_for, "for (int x : *static_cast<List*>(a)) {}") == 0);
  CHECK(count(check_range_for, "for (int x : {a.b(), c.d()}) {}") == 0);
}
