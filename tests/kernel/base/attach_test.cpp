// attach_test.cpp — a registration ends once, with its handle.
#include "kernel/base/attach.h"

#include <doctest/doctest.h>

namespace coppice {
namespace {

TEST_CASE("the undo action runs once, by detach or by the destructor") {
  int undone = 0;
  {
    const Attachment attachment([&] { ++undone; });
    CHECK(attachment.attached());
    CHECK(undone == 0);
  }
  CHECK(undone == 1);
  {
    Attachment attachment([&] { ++undone; });
    attachment.detach();
    attachment.detach();
    CHECK(undone == 2);
    CHECK_FALSE(attachment.attached());
  }
  CHECK(undone == 2);
}

TEST_CASE("a handle that is moved takes the duty along, and one that is replaced does it first") {
  int first = 0;
  int second = 0;
  Attachment held([&] { ++first; });
  {
    Attachment other([&] { ++second; });
    held = std::move(other);
    CHECK(first == 1);
    CHECK(second == 0);
  }
  CHECK(second == 0);
  const Attachment last(std::move(held));
  CHECK(last.attached());
  held.detach();  // NOLINT(bugprone-use-after-move): empty, and stays so
  CHECK(second == 0);
}

TEST_CASE("an empty handle does nothing") {
  Attachment empty;
  CHECK_FALSE(empty.attached());
  empty.detach();
}

}  // namespace
}  // namespace coppice
