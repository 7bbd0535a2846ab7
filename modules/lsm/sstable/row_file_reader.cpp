#include "modules/lsm/sstable/row_file_reader.h"

#include <algorithm>

#include "kernel/base/assert.h"
#include "kernel/base/coding.h"
#include "modules/lsm/sstable/history_block.h"

namespace coppice::lsm {
namespace {

std::uint64_t unsigned_at(const Vector& vector, std::uint32_t row) {
  return static_cast<std::uint64_t>(vector.int_at(row));
}

Egid last_value(const Vector& vector) {
  return unsigned_at(vector, vector.size() - 1);
}

}  // namespace

// --- opening ------------------------------------------------------------------------------------

Result<std::unique_ptr<RowFileReader>> RowFileReader::open(const RowFileOpen& options,
                                                           const ReadBytes& read) {
  if (options.end < options.start || options.end - options.start < kFooterBytes)
    return block_corrupt({options.file, options.start, 0, BlockKind::kProperties},
                         "file too short for a footer");
  const std::uint64_t footer_at = options.end - kFooterBytes;
  const ByteBuffer footer_bytes = COPPICE_TRY(read(footer_at, kFooterBytes));
  const RowFileFooter footer =
      COPPICE_TRY(read_footer(options.file, footer_at, footer_bytes, options.verify));
  if (footer.properties.offset < options.start)
    return block_corrupt(footer.properties, "outside its section");
  const ByteBuffer block = COPPICE_TRY(read(footer.properties.offset, footer.properties.length));
  std::unique_ptr<RowFileReader> reader(new RowFileReader);
  reader->properties_ = COPPICE_TRY(read_properties(footer.properties, block, options.verify));
  reader->end_ = options.end;
  if (reader->properties_.start != options.start)
    return block_corrupt(footer.properties, "of another section");
  for (const Extent& extent : reader->properties_.extents)
    if (extent.file == options.file &&
        (extent.offset < options.start || extent.offset > footer_at ||
         extent.length > footer_at - extent.offset))
      return block_corrupt(footer.properties, "extent outside its section");
  COPPICE_TRY(reader->load_dictionaries(read, options.verify));
  COPPICE_TRY(reader->load_index(read, options.verify));
  COPPICE_TRY(reader->load_history_index(read, options.verify));
  if (options.pin_keys) COPPICE_TRY(reader->load_keys(read, options.verify));
  return reader;
}

Status RowFileReader::check_place(const BlockRef& at) const {
  if (at.offset < properties_.start || at.offset > end_ || at.length > end_ - at.offset)
    return block_corrupt(at, "outside its file");
  return {};
}

Result<LoadedBlockRef> RowFileReader::load(const ReadBytes& read, const BlockRef& at,
                                           WideDecoder& decoder, Verify verify) const {
  COPPICE_TRY(check_place(at));
  ByteBuffer bytes = COPPICE_TRY(read(at.offset, at.length));
  LoadedBlockRef block =
      COPPICE_TRY(LoadedBlock::load(at, std::move(bytes), dictionaries_, decoder, verify));
  return block;
}

Status RowFileReader::load_dictionaries(const ReadBytes& read, Verify verify) {
  for (const BlockRef& at : properties_.dictionaries) {
    COPPICE_TRY(check_place(at));
    const ByteBuffer bytes = COPPICE_TRY(read(at.offset, at.length));
    if (verify == Verify::kChecksum) COPPICE_TRY(verify_block(at, bytes));
    ByteReader reader(bytes);
    reader.u64();  // checksum
    const std::uint32_t magic = reader.u32();
    const std::uint32_t id = reader.u32();
    if (!reader.ok() || magic != kDictionaryMagic) return block_corrupt(at, "not a dictionary");
    const ByteView content = reader.bytes(reader.remaining());
    auto dictionary = WideDictionary::create(id, {content.begin(), content.end()});
    if (!dictionary) return block_corrupt(at, dictionary.error().message());
    dictionaries_.add(*std::move(dictionary));
    memory_bytes_ += content.size();
  }
  return {};
}

Status RowFileReader::load_index(const ReadBytes& read, Verify verify) {
  WideDecoder decoder;
  for (const BlockRef& at : properties_.index) {
    IndexBlock index;
    index.block = COPPICE_TRY(load(read, at, decoder, verify));
    const RowBlock& rows = index.block->rows();
    index.first_egid = find_int64(rows, kIndexFirstEgid);
    index.last_egid = find_int64(rows, kIndexLastEgid);
    index.rows = find_int64(rows, kIndexRows);
    index.min_timestamp = find_int64(rows, kIndexMinTimestamp);
    index.max_timestamp = find_int64(rows, kIndexMaxTimestamp);
    index.keys_offset = find_int64(rows, kIndexKeysOffset);
    index.keys_length = find_int64(rows, kIndexKeysLength);
    if (index.first_egid == nullptr || index.last_egid == nullptr || index.rows == nullptr ||
        index.min_timestamp == nullptr || index.max_timestamp == nullptr ||
        index.keys_offset == nullptr || index.keys_length == nullptr)
      return block_corrupt(at, "not the columns of a block index");
    for (std::uint32_t group = 0; group < kGroupsMax; ++group) {
      const Vector* offset = find_int64(rows, index_group_offset(group));
      const Vector* length = find_int64(rows, index_group_length(group));
      if (offset == nullptr || length == nullptr) break;
      index.group_offset.push_back(offset);
      index.group_length.push_back(length);
    }
    const bool last = &at == &properties_.index.back();
    if (!last && rows.rows() != kVectorRows) return block_corrupt(at, "not full");
    block_count_ += rows.rows();
    index_last_.push_back(last_value(*index.last_egid));
    memory_bytes_ += index.block->charge();
    index_.push_back(std::move(index));
  }
  Egid before = 0;
  for (std::uint32_t block = 0; block < block_count_; ++block) {
    const Entry one = entry(block);
    const BlockRef& at = properties_.index[block / kVectorRows];
    if (one.first_egid > one.last_egid || (block > 0 && one.first_egid <= before) ||
        one.rows == 0 || one.rows > kVectorRows || is_provisional(one.last_egid))
      return block_corrupt(at, "blocks out of order");
    if (one.keys.length == 0 && one.last_egid - one.first_egid + 1 != one.rows)
      return block_corrupt(at, "sparse block without keys");
    before = one.last_egid;
    COPPICE_TRY(check_place(one.keys));
    for (std::uint32_t group = 0; group < index_[block / kVectorRows].group_length.size(); ++group)
      COPPICE_TRY(check_place(group_block(block, group)));
  }
  return {};
}

Status RowFileReader::load_history_index(const ReadBytes& read, Verify verify) {
  WideDecoder decoder;
  for (const BlockRef& at : properties_.history_index) {
    HistoryIndexBlock index;
    index.block = COPPICE_TRY(load(read, at, decoder, verify));
    const RowBlock& rows = index.block->rows();
    index.first_egid = find_int64(rows, kHistoryFirstEgid);
    index.first_timestamp = find_int64(rows, kHistoryFirstTimestamp);
    index.offset = find_int64(rows, kHistoryOffset);
    index.length = find_int64(rows, kHistoryLength);
    if (index.first_egid == nullptr || index.first_timestamp == nullptr ||
        index.offset == nullptr || index.length == nullptr)
      return block_corrupt(at, "not the columns of a history index");
    const bool last = &at == &properties_.history_index.back();
    if (!last && rows.rows() != kVectorRows) return block_corrupt(at, "not full");
    history_count_ += rows.rows();
    memory_bytes_ += index.block->charge();
    history_.push_back(index);
  }
  for (std::uint32_t block = 0; block < history_count_; ++block)
    COPPICE_TRY(check_place(history_block(block)));
  return {};
}

Status RowFileReader::load_keys(const ReadBytes& read, Verify verify) {
  WideDecoder decoder;
  pinned_.resize(block_count_);
  for (std::uint32_t block = 0; block < block_count_; ++block) {
    const Entry one = entry(block);
    if (one.keys.length == 0) continue;
    pinned_[block] = COPPICE_TRY(load(read, one.keys, decoder, verify));
    memory_bytes_ += pinned_[block]->charge();
  }
  return {};
}

// --- the indexes --------------------------------------------------------------------------------

RowFileReader::Entry RowFileReader::entry(std::uint32_t block) const {
  COPPICE_DEBUG_ASSERT(block < block_count_);
  const IndexBlock& index = index_[block / kVectorRows];
  const std::uint32_t row = block % kVectorRows;
  Entry one;
  one.first_egid = unsigned_at(*index.first_egid, row);
  one.last_egid = unsigned_at(*index.last_egid, row);
  one.rows = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(unsigned_at(*index.rows, row), UINT32_MAX));
  one.min_timestamp = {unsigned_at(*index.min_timestamp, row)};
  one.max_timestamp = {unsigned_at(*index.max_timestamp, row)};
  one.keys = {properties_.file, unsigned_at(*index.keys_offset, row),
              static_cast<std::uint32_t>(unsigned_at(*index.keys_length, row)), BlockKind::kKeys};
  if (one.keys.length == 0) one.keys.offset = properties_.start;
  return one;
}

BlockRef RowFileReader::group_block(std::uint32_t block, std::uint32_t group) const {
  const IndexBlock& index = index_[block / kVectorRows];
  const std::uint32_t row = block % kVectorRows;
  BlockRef at{properties_.file, properties_.start, 0, BlockKind::kGroup};
  if (group >= index.group_length.size()) return at;
  at.length = static_cast<std::uint32_t>(unsigned_at(*index.group_length[group], row));
  if (at.length != 0) at.offset = unsigned_at(*index.group_offset[group], row);
  return at;
}

GroupMask RowFileReader::groups_of(std::uint32_t block) const {
  GroupMask mask = 0;
  const std::size_t groups = index_[block / kVectorRows].group_length.size();
  for (std::uint32_t group = 0; group < groups; ++group)
    if (group_block(block, group).length != 0) mask |= GroupMask{1} << group;
  return mask;
}

std::uint32_t RowFileReader::find_block(Egid egid) const {
  const auto at = std::ranges::lower_bound(index_last_, egid);
  if (at == index_last_.end()) return block_count_;
  const auto index = static_cast<std::uint32_t>(at - index_last_.begin());
  return index * kVectorRows +
         lower_bound(*index_[index].last_egid, static_cast<std::int64_t>(egid));
}

Result<BlockRef> RowFileReader::place_of(std::uint32_t extent, std::uint64_t offset,
                                         std::uint32_t length, BlockKind kind) const {
  if (extent >= properties_.extents.size())
    return block_corrupt({properties_.file, offset, length, kind}, "in an unknown extent");
  const Extent& in = properties_.extents[extent];
  const BlockRef at{in.file, in.offset + offset, length, kind};
  if (offset > in.length || length > in.length - offset)
    return block_corrupt(at, "outside its extent");
  return at;
}

BlockRef RowFileReader::history_block(std::uint32_t block) const {
  const HistoryIndexBlock& index = history_[block / kVectorRows];
  const std::uint32_t row = block % kVectorRows;
  return {properties_.file, unsigned_at(*index.offset, row),
          static_cast<std::uint32_t>(unsigned_at(*index.length, row)), BlockKind::kHistory};
}

std::uint32_t RowFileReader::first_history_block(Egid egid, Hlc read_at) const {
  std::uint32_t low = 0;  // blocks before it start at or before (egid, read_at)
  std::uint32_t count = history_count_;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    const HistoryIndexBlock& index = history_[(low + half) / kVectorRows];
    const std::uint32_t row = (low + half) % kVectorRows;
    const Egid first = unsigned_at(*index.first_egid, row);
    const bool starts_before = first < egid || (first == egid && unsigned_at(*index.first_timestamp,
                                                                             row) >= read_at.value);
    if (starts_before) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low == 0 ? 0 : low - 1;
}

// --- lookups ------------------------------------------------------------------------------------

void RowFileReader::claim_groups(RowFetch& fetch, std::uint32_t row, std::uint32_t block,
                                 GroupMask groups, std::uint32_t key_row,
                                 const KeyBlock* keys) const {
  for (; groups != 0; groups &= groups - 1) {
    const auto group = static_cast<std::uint32_t>(std::countr_zero(groups));
    const std::uint32_t position = keys == nullptr ? key_row : keys->position(key_row, group);
    fetch.claim(row, group, *this, group_block(block, group), position);
  }
}

void RowFileReader::claim_plain(RowFetch& fetch, std::uint32_t row, std::uint32_t block,
                                const Entry& one, Hlc read_at) const {
  const Egid egid = fetch.egid(row);
  if (egid < one.first_egid || egid > one.last_egid || one.min_timestamp > read_at) return;
  const GroupMask supplied = fetch.found(row, one.min_timestamp, groups_of(block));
  claim_groups(fetch, row, block, supplied, static_cast<std::uint32_t>(egid - one.first_egid),
               nullptr);
}

void RowFileReader::claim_keyed(RowFetch& fetch, std::uint32_t row, std::uint32_t block,
                                const KeyBlock& keys, Hlc read_at,
                                std::vector<HistoryWant>& history) const {
  const auto key_row = keys.find(fetch.egid(row));
  if (!key_row) return;
  const Hlc timestamp = keys.timestamp(*key_row);
  if (timestamp <= read_at) {
    if (keys.deleted(*key_row)) return fetch.found_deleted(row, timestamp);
    const GroupMask supplied = fetch.found(row, timestamp, keys.mask(*key_row));
    claim_groups(fetch, row, block, supplied, *key_row, &keys);
  }
  if (keys.has_older(*key_row) && fetch.wants(row) && history_count_ != 0)
    history.push_back({row, first_history_block(fetch.egid(row), read_at)});
}

Status RowFileReader::claim(RowFetch& fetch, BlockSource& source, const FileClip& clip) const {
  const Hlc read_at = std::min(fetch.read_at(), clip.cap);
  if (read_at < properties_.min_timestamp) return {};
  std::vector<HistoryWant> history;
  std::vector<BlockRequest> requests;
  std::vector<KeyedRow> keyed;
  for (std::uint32_t row = 0; row < fetch.rows(); ++row) {
    const Egid egid = fetch.egid(row);
    if (!fetch.wants(row) || !clip.holds(egid)) continue;
    const std::uint32_t block = find_block(egid);
    if (block == block_count_) continue;
    const Entry one = entry(block);
    if (egid < one.first_egid) continue;
    if (one.keys.length == 0) {
      claim_plain(fetch, row, block, one, read_at);
    } else if (const LoadedBlockRef pinned = pinned_keys(block)) {
      claim_keyed(fetch, row, block, pinned->keys(), read_at, history);
    } else {
      if (requests.empty() || !(requests.back().at == one.keys))
        requests.push_back({one.keys, nullptr});
      keyed.push_back({row, block, requests.size() - 1});
    }
  }
  if (!requests.empty()) COPPICE_TRY(source.fetch(requests));
  for (const KeyedRow& want : keyed)
    claim_keyed(fetch, want.row, want.block, requests[want.request].block->keys(), read_at,
                history);
  return claim_history(fetch, std::move(history), read_at, source);
}

Status RowFileReader::claim_history(RowFetch& fetch, std::vector<HistoryWant> wants, Hlc read_at,
                                    BlockSource& source) const {
  while (!wants.empty()) {  // rounds: each reads the next block of every row that needs one
    std::vector<BlockRequest> requests;
    for (const HistoryWant& want : wants) requests.push_back({history_block(want.block), nullptr});
    COPPICE_TRY(source.fetch(requests));
    std::vector<HistoryWant> next;
    for (std::size_t i = 0; i < wants.size(); ++i) {
      const bool more =
          COPPICE_TRY(claim_versions(fetch, wants[i].row, read_at, *requests[i].block, source));
      if (more && wants[i].block + 1 < history_count_)
        next.push_back({wants[i].row, wants[i].block + 1});
    }
    wants = std::move(next);
  }
  return {};
}

// True: the block ended while the row still wants something.
Result<bool> RowFileReader::claim_versions(RowFetch& fetch, std::uint32_t row, Hlc read_at,
                                           const LoadedBlock& loaded, BlockSource& source) const {
  const auto block = HistoryBlock::open(loaded.rows());
  if (!block) return block_corrupt(loaded.place(), "not the columns of a history block");
  const Egid egid = fetch.egid(row);
  for (std::uint32_t at = block->lower_bound(egid, read_at); at < block->rows(); ++at) {
    if (block->egid(at) != egid || !fetch.wants(row)) return false;
    if (block->deleted(at)) {
      fetch.found_deleted(row, block->timestamp(at));
      return false;
    }
    const GroupMask mask = block->mask(at);
    const GroupMask supplied = fetch.found(row, block->timestamp(at), mask);
    if (supplied == 0) continue;
    ByteView bytes;
    if (const auto long_tuple = block->long_tuple(at, properties_.file)) {
      COPPICE_TRY(check_place(long_tuple->at));
      const ByteBuffer value =
          COPPICE_TRY(read_long_value(long_tuple->at, long_tuple->bytes, source));
      bytes = fetch.keep_copy(value);
    } else {
      bytes = fetch.keep_copy(block->tuple(at));
    }
    const auto tuple = TupleView::parse(bytes);
    if (!tuple) return block_corrupt(loaded.place(), tuple.error().message());
    fetch.set_from_tuple(row, *tuple, mask, supplied, properties_.columns);
  }
  return fetch.wants(row);
}

Result<bool> RowFileReader::has_egid(Egid egid, BlockSource& source) const {
  const std::uint32_t block = find_block(egid);
  if (block == block_count_) return false;
  const Entry one = entry(block);
  if (egid < one.first_egid) return false;
  if (one.keys.length == 0) return true;
  BlockRequest request{one.keys, pinned_keys(block)};
  if (request.block == nullptr) COPPICE_TRY(source.fetch({&request, 1}));
  return request.block->keys().find(egid).has_value();
}

Status RowFileReader::collect_egids(Egid from, Egid to, BlockSource& source,
                                    std::vector<Egid>& egids) const {
  for (std::uint32_t block = find_block(from); block < block_count_; ++block) {
    const Entry one = entry(block);
    if (one.first_egid > to) break;
    if (one.keys.length == 0) {
      const Egid last = std::min(to, one.last_egid);
      for (Egid egid = std::max(from, one.first_egid); egid <= last; ++egid) egids.push_back(egid);
      continue;
    }
    BlockRequest request{one.keys, pinned_keys(block)};
    if (request.block == nullptr) COPPICE_TRY(source.fetch({&request, 1}));
    const KeyBlock& keys = request.block->keys();
    for (std::uint32_t row = keys.lower_bound(from); row < keys.rows(); ++row) {
      if (keys.egid(row) > to) break;
      egids.push_back(keys.egid(row));
    }
  }
  return {};
}

}  // namespace coppice::lsm
