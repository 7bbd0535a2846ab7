// row_file_fuzz.cpp — a valid small file with some bytes changed, read without checksums: lookups,
// scans and the cursor meet every kind of nonsense that a checksum would have caught.
#include "kernel/base/assert.h"
#include "modules/lsm/sstable/row_file_cursor.h"
#include "modules/lsm/sstable/row_file_scan.h"
#include "tests/modules/lsm/memory_file.h"

using namespace coppice;
using namespace coppice::lsm;

namespace {

const TableSchema& schema() {
  static const TableSchema made = [] {
    TableSchema table;
    table.columns = {{{1}, PhysicalType::kInt32, true, 0},
                     {{2}, PhysicalType::kBytes, true, 1},
                     {{3}, PhysicalType::kFloat64, true, 0}};
    return table;
  }();
  return made;
}

// Dense and changed rows, history, wide chunks, a long value.
const ByteBuffer& valid_file() {
  static const ByteBuffer made = [] {
    ByteBuffer bytes;
    MemorySink sink(bytes);
    RowFileOptions options{1, 0, &schema(), {}};
    RowFileBuilder builder(options, sink);
    const std::string text(700, 'w');
    const std::string long_text(3000, 'l');
    Status ok;
    for (Egid egid = 1; egid < 60 && ok; ++egid) {
      const std::vector<Datum> values = {
          Datum::integer(PhysicalType::kInt32, static_cast<Int128>(egid * egid)),
          Datum::of(as_bytes(egid == 5 ? long_text : text)), Datum::of(0.5)};
      if (egid % 7 == 0) ok = builder.add({egid, {9}, 0, true, {}});
      if (ok && egid % 5 == 0)
        ok = builder.add({egid, {8}, 2, false, std::span(values).subspan(1, 1)});
      if (ok) ok = builder.add({egid, {3}, 3, false, values});
    }
    COPPICE_ASSERT(ok && builder.finish());
    return bytes;
  }();
  return made;
}

Status read_all(const RowFileReader& file, BlockSource& source) {
  const std::uint32_t columns[] = {0, 1, 2};
  std::vector<Egid> egids;
  for (Egid egid = 0; egid < 64; ++egid) egids.push_back(egid);
  for (const Hlc at : {Hlc{4}, Hlc{8}, Hlc::max()}) {
    RowFetch fetch(schema(), at, columns, egids);
    COPPICE_TRY(file.claim(fetch, source));
    COPPICE_TRY(fetch.read(source));
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static MemorySource source;
  source.verify = Verify::kStructureOnly;
  ByteBuffer& bytes = source.files[1];
  bytes = valid_file();
  // Input: triples of (position u16, value u8); then, odd sizes, a new length.
  for (std::size_t i = 0; i + 3 <= size; i += 3) {
    const std::size_t at = (data[i] | std::size_t{data[i + 1]} << 8) % bytes.size();
    bytes[at] = static_cast<std::byte>(data[i + 2]);
  }
  const auto file = RowFileReader::open({1, 0, bytes.size(), size % 2 == 0, Verify::kStructureOnly},
                                        source.reader_of(1));
  if (!file) return 0;
  static_cast<void>(read_all(**file, source));
  const std::uint32_t columns[] = {1, 0};
  RowFileScan scan(**file, schema(), columns, {8});
  ScanBatch batch;
  for (auto more = scan.next(source, batch); more && *more; more = scan.next(source, batch)) {
  }
  RowFileCursor cursor(**file, schema());
  for (auto more = cursor.next(source); more && *more; more = cursor.next(source)) {
  }
  return 0;
}
