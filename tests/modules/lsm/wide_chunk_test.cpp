// wide_chunk_test.cpp — chunks, dictionaries, directories; chunks kept without decompression.
#include "modules/lsm/sstable/wide_chunk.h"

#include <doctest/doctest.h>

#include <deque>
#include <string>

#include "kernel/base/random.h"
#include "modules/lsm/sstable/block_columns.h"
#include "tests/modules/lsm/memory_file.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

// Short random stretches between phrases of a shared pool: within a chunk they hardly repeat.
std::string note(Rng& rng) {
  static const std::vector<std::string> phrases = [] {
    Rng letters(99);
    std::vector<std::string> made(300);
    for (std::string& phrase : made)
      for (int i = 0; i < 30; ++i) phrase += static_cast<char>('a' + letters.below(26));
    return made;
  }();
  std::string text;
  while (text.size() < 600) {
    for (int i = 0; i < 8; ++i) text += static_cast<char>('!' + rng.below(90));
    text += phrases[rng.below(phrases.size())];
  }
  return text;
}

WideDictionaryRef trained(Rng& rng) {
  std::deque<std::string> texts;
  std::vector<ByteView> samples;
  for (int i = 0; i < 2000; ++i) samples.push_back(as_bytes(texts.emplace_back(note(rng))));
  auto dictionary = WideDictionary::train(9, samples);
  REQUIRE(dictionary);
  return *std::move(dictionary);
}

BlockRef sealed(BlockKind kind, ByteBuffer& chunk) {
  seal_block(chunk, 3, 70);
  return {3, 70, static_cast<std::uint32_t>(chunk.size()), kind};
}

}  // namespace

TEST_CASE("chunks round trip plain, compressed, and with a dictionary that pays") {
  Rng rng(1);
  const WideDictionaryRef dictionary = trained(rng);
  WideDictionarySet dictionaries;
  dictionaries.add(dictionary);
  dictionaries.add(dictionary);
  CHECK(dictionaries.all().size() == 1);
  WideEncoder encoder;
  WideDecoder decoder;
  std::size_t sizes[2] = {};
  for (const bool with : {false, true}) {
    WideChunkBuilder builder;
    std::deque<std::string> texts;
    while (true) {
      const ByteView value = as_bytes(texts.emplace_back(note(rng)));
      if (!builder.takes(value)) break;
      builder.add(value);
    }
    texts.pop_back();
    ByteBuffer bytes;
    builder.finish(with ? dictionary.get() : nullptr, encoder, bytes);
    sizes[with ? 1 : 0] = bytes.size();
    const BlockRef at = sealed(BlockKind::kChunk, bytes);
    const auto chunk = WideChunk::open(at, bytes, dictionaries, decoder);
    REQUIRE(chunk);
    REQUIRE(chunk->rows() == texts.size());
    for (std::uint32_t row = 0; row < texts.size(); ++row)
      CHECK(as_text(chunk->value(row)) == texts[row]);
    if (with) {
      const auto unknown = WideChunk::open(at, bytes, {}, decoder);
      REQUIRE_FALSE(unknown);
      CHECK(unknown.error().message() == "file 3 offset 70: wide chunk: unknown dictionary 9");
    }
  }
  CHECK(sizes[1] * 3 < sizes[0] * 2);
}

TEST_CASE("every flipped bit of a chunk is found, and none makes the decoder misbehave") {
  Rng rng(2);
  WideEncoder encoder;
  WideDecoder decoder;
  WideChunkBuilder builder;
  builder.add(as_bytes("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
  builder.add({});
  builder.add(as_bytes("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"));
  ByteBuffer bytes;
  builder.finish(nullptr, encoder, bytes);
  const BlockRef at = sealed(BlockKind::kChunk, bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto chunk = WideChunk::open(at, bytes, {}, decoder);
    REQUIRE_FALSE(chunk);
    CHECK(chunk.error().code() == Code::kCorruption);
    static_cast<void>(WideChunk::open(at, bytes, {}, decoder, Verify::kStructureOnly));
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  }
}

TEST_CASE("a directory finds chunks and long values, and refuses nonsense") {
  WideDirectoryWriter writer;
  for (std::uint32_t i = 0; i < 100; ++i)
    writer.add_chunk({i * 8 + (i > 50 ? 3 : 0), i / 60, 1000 + i * 4500, 4400 + i});
  writer.add_overflow({5, 0, 77, 800, 3000, false});
  writer.add_overflow({900, 1, 99, 60, 1 << 20, true});
  ByteBuffer bytes;
  writer.append_to(bytes);
  const std::size_t size = bytes.size();
  CHECK(size < 700);
  bytes.resize(size + kBitPackingSlack);
  const auto directory = WideDirectory::read(ByteView(bytes).first(size), 1024);
  REQUIRE(directory);
  CHECK(directory->chunk_of(0) == 0);
  CHECK(directory->chunk_of(15) == 1);
  CHECK(directory->chunk_of(1023) == 99);
  CHECK(directory->chunk(70).first_row == 563);
  CHECK(directory->chunk(70).extent == 1);
  CHECK(directory->chunk(70).offset == 1000 + 70 * 4500);
  CHECK(directory->find_overflow(900)->chain);
  CHECK(directory->find_overflow(5)->value_bytes == 3000);
  CHECK_FALSE(directory->find_overflow(6));
  CHECK_FALSE(WideDirectory::read(ByteView(bytes).first(size), 800));  // rows beyond the block
  for (std::size_t cut = 0; cut < size; ++cut)
    CHECK_FALSE(WideDirectory::read(ByteView(bytes).first(cut), 1024));
}

TEST_CASE("a rewritten file keeps the chunks of the old one, by reference or as copies") {
  Rng rng(4);
  const WideDictionaryRef dictionary = trained(rng);
  TableSchema schema;
  schema.columns = {{{1}, PhysicalType::kInt64, true, 0}, {{2}, PhysicalType::kBytes, true, 1}};
  VectorBuffer numbers(PhysicalType::kInt64), texts(PhysicalType::kBytes);
  for (int i = 0; i < 1000; ++i) {
    numbers.append(Datum::of(std::int64_t{i}));
    const std::string text = i == 77 ? std::string(5000, 'L') : note(rng);
    texts.append(i % 10 == 0 ? Datum::null_of(PhysicalType::kBytes) : Datum::of(as_bytes(text)));
  }
  MemorySource source;
  source.dictionaries.add(dictionary);
  const auto build = [&](std::uint64_t id, std::span<const Vector> columns,
                         std::span<const KeptChunks> kept) {
    MemorySink sink(source.files[id]);
    RowFileOptions options{id, 0, &schema, {dictionary}};
    RowFileBuilder builder(options, sink);
    REQUIRE(builder.append_rows(1, {1}, columns, 0, 1000, kept));
    REQUIRE(builder.finish());
    auto reader = RowFileReader::open({id, 0, source.files[id].size()}, source.reader_of(id));
    REQUIRE(reader);
    return *std::move(reader);
  };
  const Vector old_columns[] = {numbers.view(), texts.view()};
  const auto old_file = build(1, old_columns, {});
  const std::uint32_t columns[] = {0, 1};
  BlockColumns old_block;
  REQUIRE(load_columns(*old_file, 0, schema, columns, source, old_block));

  VectorBuffer doubled(PhysicalType::kInt64);
  for (int i = 0; i < 1000; ++i) doubled.append(Datum::of(std::int64_t{2 * i}));
  const auto kept = kept_chunks(*old_file, 0, {2}, 1, source);
  REQUIRE(kept);
  KeptChunks copied = *kept;
  std::deque<ByteBuffer> stored;
  for (KeptChunks::Chunk& chunk : copied.chunks)
    chunk.stored = stored.emplace_back(*source.read(1, chunk.at.offset, chunk.at.length));
  const Vector new_columns[] = {doubled.view(), old_block.columns[1]};
  const auto referring = build(2, new_columns, {&*kept, 1});
  const auto copying = build(3, new_columns, {&copied, 1});
  CHECK(referring->properties().wide_bytes == 0);
  CHECK(copying->properties().wide_bytes > 100'000);
  CHECK(copying->properties().wide_bytes < old_file->properties().wide_bytes);  // not the long one
  for (const RowFileReader* file : {referring.get(), copying.get()}) {
    BlockColumns block;
    REQUIRE(load_columns(*file, 0, schema, columns, source, block));
    for (std::uint32_t row = 0; row < 1000; ++row) {
      REQUIRE(block.columns[0].int_at(row) == 2 * row);
      REQUIRE(block.columns[1].datum_at(row) == texts.view().datum_at(row));
    }
  }
}
