// input_test.cpp — messages cut from a stream, however it is chopped up; budgets; views that stay.
#include "modules/pgwire/input.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/base/random.h"
#include "tests/modules/pgwire/wire_bytes.h"

using namespace coppice;
using namespace coppice::pgwire;
using namespace coppice::testing;

namespace {

std::string filler(std::size_t bytes, char fill = 'x') {
  return std::string(bytes, fill);
}

// Feeds at most `most` bytes; gives how many.
std::size_t feed(Input& input, std::string_view from, std::size_t most) {
  const MutableByteView space = input.space();
  const std::size_t count = std::min({from.size(), most, space.size()});
  std::memcpy(space.data(), from.data(), count);
  input.filled(count);
  return count;
}

}  // namespace

TEST_CASE("whatever the pieces, the messages come out whole and in order") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    InputBudget budget(1 << 20);
    Input input(budget);
    std::string stream;
    std::vector<std::size_t> sizes;
    for (int i = 0; i < 20; ++i) {
      sizes.push_back(rng.below(rng.chance(0.2) ? 300'000 : 50));
      stream += message(static_cast<char>('a' + i), filler(sizes.back()));
    }
    std::size_t fed = 0;
    std::size_t seen = 0;
    while (fed < stream.size()) {
      const std::size_t piece = 1 + rng.below(rng.chance(0.5) ? 100'000 : 700);
      fed += feed(input, std::string_view(stream).substr(fed), piece);
      for (Frame frame = input.next(false); frame.kind != Frame::Kind::kNone;
           frame = input.next(false)) {
        REQUIRE(frame.kind == Frame::Kind::kMessage);
        CHECK(frame.type == static_cast<char>('a' + seen));
        CHECK(frame.body.size() == sizes[seen]);
        ++seen;
      }
      input.release_if_empty();
    }
    CHECK(seen == sizes.size());
    CHECK(input.pending() == 0);
    CHECK(budget.used() == 0);
  }
}

TEST_CASE("a message beyond the budget is dropped, reported once, and the stream goes on") {
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{100'000}}) {
    InputBudget budget(100'000);
    Input input(budget);
    const std::string stream = message('Q', filler(10)) + message('Q', filler(5'000'000)) +
                               message('S', "") + message('Q', filler(9));
    std::string seen;
    std::size_t fed = 0;
    while (fed < stream.size()) {
      fed += feed(input, std::string_view(stream).substr(fed), piece);
      for (Frame frame = input.next(false); frame.kind != Frame::Kind::kNone;
           frame = input.next(false)) {
        CHECK((frame.kind != Frame::Kind::kDropped || frame.type == 'Q'));
        seen += frame.kind == Frame::Kind::kDropped ? '!' : frame.type;
      }
      CHECK(budget.used() <= budget.limit());
    }
    CHECK(seen == "Q!SQ");
  }
}

TEST_CASE("a length that cannot be is bad, and nothing is allocated for a claim") {
  InputBudget budget(1 << 20);
  Input input(budget);
  const std::string huge = "Q" + be32(0x3ffffff0U);
  feed(input, huge, huge.size());
  CHECK(input.next(false).kind == Frame::Kind::kNone);
  CHECK(input.space().size() <= Input::kFreeBytes);
  for (const std::uint32_t length : {0U, 3U, 0x40000000U, 0xffffffffU}) {
    Input other(budget);
    const std::string bad = "Q" + be32(length) + "body";
    feed(other, bad, bad.size());
    CHECK(other.next(false).kind == Frame::Kind::kBad);
  }
}

TEST_CASE("views into a detached buffer stay good while more is read") {
  InputBudget budget(1 << 20);
  Input input(budget);
  feed(input, message('Q', "question") + message('d', "ddd"), 1000);
  const Frame asked = input.next(false);
  const ByteBuffer kept = input.detach();
  CHECK(as_text(input.next(false).body) == "ddd");
  const std::string more = message('d', filler(60'000, 'e'));
  for (std::size_t fed = 0; fed < more.size();) {
    fed += feed(input, std::string_view(more).substr(fed), 10'000);
  }
  CHECK(input.next(false).body.size() == 60'000);
  CHECK(as_text(asked.body) == "question");
}
