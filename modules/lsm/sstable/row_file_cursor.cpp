#include "modules/lsm/sstable/row_file_cursor.h"

namespace coppice::lsm {

RowFileCursor::RowFileCursor(const RowFileReader& file, const TableSchema& schema,
                             const FileClip& clip)
    : file_(file), schema_(schema), clip_(clip), next_block_(file.find_block(clip.from)) {
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) columns_.push_back(i);
}

Result<bool> RowFileCursor::load_next_block(BlockSource& source) {
  if (next_block_ >= file_.block_count()) return false;
  COPPICE_TRY(load_columns(file_, next_block_++, schema_, columns_, source, block_));
  row_ = 0;
  has_block_ = true;
  return true;
}

Result<bool> RowFileCursor::next(BlockSource& source) {
  while (true) {
    if (!has_block_ || row_ == block_.entry.rows) {
      const bool loaded = COPPICE_TRY(load_next_block(source));
      if (!loaded) return false;
    }
    const std::uint32_t row = row_++;
    const KeyBlock* keys = block_.key_block();
    egid_ = keys == nullptr ? block_.entry.first_egid + row : keys->egid(row);
    if (egid_ < clip_.from) continue;
    if (egid_ > clip_.to) return false;
    versions_.clear();
    owners_.clear();
    copies_.clear();
    add_newest(row);
    if (keys != nullptr && keys->has_older(row)) COPPICE_TRY(add_older(source));
    if (!versions_.empty()) return true;
  }
}

void RowFileCursor::add_newest(std::uint32_t row) {
  const KeyBlock* keys = block_.key_block();
  StoredVersion version;
  version.timestamp = keys == nullptr ? block_.entry.min_timestamp : keys->timestamp(row);
  if (version.timestamp > clip_.cap) return;
  version.mask = keys == nullptr ? file_.groups_of(next_block_ - 1) : keys->mask(row);
  version.deleted = keys != nullptr && keys->deleted(row);
  version.values.resize(schema_.columns.size());
  for (const std::uint32_t column : schema_.columns_of(version.mask)) {
    const Vector& vector = block_.columns[column];
    const std::uint32_t position =
        keys == nullptr ? row : keys->position(row, schema_.columns[column].group);
    version.values[column] = position < vector.size() ? vector.datum_at(position)
                                                      : schema_.columns[column].missing_value();
  }
  versions_.push_back(std::move(version));
}

Status RowFileCursor::add_older(BlockSource& source) {
  if (!has_history_position_) {
    next_history_ = file_.first_history_block(egid_, Hlc::max());
    has_history_position_ = true;
  }
  while (true) {
    if (history_ == nullptr) {
      if (next_history_ >= file_.history_count()) return {};
      BlockRequest request{file_.history_block(next_history_++), nullptr};
      COPPICE_TRY(source.fetch({&request, 1}));
      history_ = request.block;
      history_row_ = 0;
    }
    const auto block = HistoryBlock::open(history_->rows());
    if (!block) return block_corrupt(history_->place(), "not the columns of a history block");
    for (; history_row_ < block->rows() && block->egid(history_row_) <= egid_; ++history_row_)
      if (block->egid(history_row_) == egid_) COPPICE_TRY(add_older_version(history_row_, source));
    if (history_row_ < block->rows()) return {};
    owners_.push_back(history_);
    history_ = nullptr;
  }
}

Status RowFileCursor::add_older_version(std::uint32_t row, BlockSource& source) {
  const auto block = HistoryBlock::open(history_->rows());
  StoredVersion version{block->timestamp(row), block->mask(row), block->deleted(row), {}};
  if (version.timestamp > clip_.cap) return {};
  version.values.resize(schema_.columns.size());
  for (std::uint32_t i = 0; i < schema_.columns.size(); ++i)
    version.values[i] = schema_.columns[i].missing_value();
  ByteView bytes = block->tuple(row);
  if (const auto long_tuple = block->long_tuple(row, file_.properties().file)) {
    ByteBuffer value = COPPICE_TRY(read_long_value(long_tuple->at, long_tuple->bytes, source));
    bytes = copies_.emplace_back(std::move(value));
  }
  owners_.push_back(history_);
  const auto tuple = TupleView::parse(bytes);
  if (!tuple) return block_corrupt(history_->place(), tuple.error().message());
  std::uint32_t position = 0;
  const RowFileProperties& properties = file_.properties();
  for (const ColumnSummary& stored : properties.columns) {
    if ((version.mask >> stored.group & 1) == 0) continue;
    for (std::uint32_t i = 0; i < schema_.columns.size() && position < tuple->count(); ++i)
      if (schema_.columns[i].id == stored.id) version.values[i] = tuple->at(position, stored.type);
    ++position;
  }
  versions_.push_back(std::move(version));
  return {};
}

}  // namespace coppice::lsm
