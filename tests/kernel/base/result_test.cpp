// result_test.cpp — errors as values, and the macro that passes them on.
#include "kernel/base/result.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace coppice;

namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return fail(Code::kInvalidArgument, "odd");
  return n / 2;
}

Result<int> quarter(int n) {
  const int once = COPPICE_TRY(half(n));
  return COPPICE_TRY(half(once));
}

Status check(int n) {
  COPPICE_TRY(half(n));
  return {};
}

Status check_twice(int n) {
  COPPICE_TRY(check(n));
  COPPICE_TRY(check(n / 2));
  return {};
}

Result<std::unique_ptr<int>> boxed(int n) {
  auto box = COPPICE_TRY(Result<std::unique_ptr<int>>(std::make_unique<int>(n)));
  return box;
}

}  // namespace

TEST_CASE("COPPICE_TRY gives the value or returns the error") {
  CHECK(quarter(8).value() == 2);
  REQUIRE_FALSE(quarter(6));
  CHECK(quarter(6).error().code() == Code::kInvalidArgument);
  CHECK(check_twice(4));
  CHECK_FALSE(check_twice(2));
  CHECK(*boxed(7).value() == 7);
}

TEST_CASE("contexts read from the outside in") {
  Error e = Error(Code::kCorruption, "checksum mismatch")
                .context("reading 12.sst")
                .context("flushing tree 7");
  CHECK(e.to_string() == "flushing tree 7: reading 12.sst: checksum mismatch");
  CHECK(e.message() == "checksum mismatch");
}

TEST_CASE("notes are kept by key, the last one wins, and clones have their own") {
  Error e =
      Error(Code::kNotFound, "no such table").note('C', "42P01").note('H', "a").note('H', "b");
  const Error copy = e.clone();
  e = std::move(e).note('C', "00000");
  REQUIRE(copy.find_note('C') != nullptr);
  CHECK(*copy.find_note('C') == "42P01");
  CHECK(*copy.find_note('H') == "b");
  CHECK(copy.find_note('D') == nullptr);
}

TEST_CASE("an error is one pointer wide") {
  CHECK(sizeof(Error) == sizeof(void*));
}
