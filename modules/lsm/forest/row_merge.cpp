#include "modules/lsm/forest/row_merge.h"

#include <algorithm>

#include "kernel/fiber/fiber.h"

namespace coppice::lsm {

TableSchema merge_schema(const DefinitionVersions& versions, Hlc snap,
                         const std::vector<RowFileRef>& files) {
  TableSchema schema;
  bool found = false;
  for (std::size_t i = versions.size(); i > 0; --i) {
    const DefinitionRef& definition = versions[i - 1].definition;
    const bool past = i < versions.size() && versions[i].at <= snap;
    if (definition == nullptr || (past && found)) continue;
    if (!found) schema.version = definition->schema.version;
    found = true;
    for (const Column& column : definition->schema.columns) {
      if (schema.find(column.id) == nullptr) schema.columns.push_back(column);
    }
  }
  for (const RowFileRef& file : files) {
    const auto& properties = file->reader->properties();
    for (const ColumnSummary& stored : properties.columns) {
      if ((schema.all_groups() >> stored.group & 1) != 0) continue;
      Column column;
      column.id = stored.id;
      column.type = stored.type;
      column.group = stored.group;
      schema.columns.push_back(std::move(column));
    }
  }
  return schema;
}

RowMerge::RowMerge(FileStore& store, RowMergeInput input)
    : store_(store), input_(std::move(input)), blocks_(store, input_.io_class) {
  for (std::uint32_t i = 0; i < input_.schema.columns.size(); ++i) columns_.push_back(i);
}

Result<std::vector<RowFileRef>> RowMerge::run() {
  const Status merged = merge_all();
  if (merged) return std::move(out_);
  out_.clear();
  builder_.reset();
  file_.reset();
  for (const std::uint64_t file : made_) static_cast<void>(store_.remove(file));
  return std::unexpected(merged.error().clone());
}

Egid RowMerge::least_level0() const {
  Egid least = UINT64_MAX;
  for (const Source& source : level0_) {
    if (source.more) least = std::min(least, source.cursor.egid());
  }
  return least;
}

Status RowMerge::merge_all() {
  for (const RowFileRef& file : input_.level0) {
    level0_.push_back({RowFileCursor(*file->reader, input_.schema), false});
    level0_.back().more = COPPICE_TRY(level0_.back().cursor.next(blocks_));
  }
  for (const RowFileRef& file : input_.last) {
    // What lies between two files goes to the one before the gap that it finds open.
    if (input_.rewrite || least_level0() <= file->reader->properties().max_egid) {
      COPPICE_TRY(merge_file(file));
      continue;
    }
    COPPICE_TRY(finish_file());
    out_.push_back(file);
  }
  std::vector<Source*> sources;
  for (Source& source : level0_) sources.push_back(&source);
  COPPICE_TRY(merge_rows(sources, UINT64_MAX));
  return finish_file();
}

Status RowMerge::merge_file(const RowFileRef& file) {
  for (std::uint32_t block = 0; block < file->reader->block_count(); ++block)
    COPPICE_TRY(merge_block(*file->reader, block));
  return {};
}

// The rows of a block of the last level, and those of level 0 up to its end.
Status RowMerge::merge_block(const RowFileReader& file, std::uint32_t block) {
  const RowFileReader::Entry entry = file.entry(block);
  if (entry.keys.length == 0 && least_level0() > entry.last_egid) {
    BlockColumns columns;
    COPPICE_TRY(load_columns(file, block, input_.schema, columns_, blocks_, columns));
    COPPICE_TRY(begin_row());
    COPPICE_TRY(builder_->append_rows(entry.first_egid, entry.min_timestamp, columns.columns, 0,
                                      entry.rows));
    return end_row();
  }
  Source base{RowFileCursor(file, input_.schema, {.from = entry.first_egid, .to = entry.last_egid}),
              false};
  base.more = COPPICE_TRY(base.cursor.next(blocks_));
  std::vector<Source*> sources;
  for (Source& source : level0_) sources.push_back(&source);
  sources.push_back(&base);
  return merge_rows(sources, entry.last_egid);
}

Status RowMerge::merge_rows(std::vector<Source*>& sources, Egid to) {
  for (;;) {
    COPPICE_TRY(fiber::maybe_yield());
    Egid least = UINT64_MAX;
    for (const Source* source : sources) {
      if (source->more) least = std::min(least, source->cursor.egid());
    }
    if (least == UINT64_MAX || least > to) return {};
    versions_.clear();
    for (const Source* source : sources) {
      if (!source->more || source->cursor.egid() != least) continue;
      const auto& more = source->cursor.versions();
      versions_.insert(versions_.end(), more.begin(), more.end());
    }
    reduce_versions(input_.schema, {input_.snap, input_.into_last}, versions_);
    if (!versions_.empty()) {
      COPPICE_TRY(begin_row());
      COPPICE_TRY(add_versions(input_.schema, least, versions_, *builder_));
      COPPICE_TRY(end_row());
    }
    for (Source* source : sources) {
      if (source->more && source->cursor.egid() == least)
        source->more = COPPICE_TRY(source->cursor.next(blocks_));
    }
  }
}

// --- output -------------------------------------------------------------------------------------

Status RowMerge::begin_row() {
  if (builder_ != nullptr) return {};
  file_ = COPPICE_TRY(store_.create(input_.io_class));
  made_.push_back(file_->number());
  builder_ = std::make_unique<RowFileBuilder>(
      RowFileOptions{file_->number(), 0, &input_.schema, {}}, *file_);
  return {};
}

Status RowMerge::end_row() {
  return builder_->should_finish(input_.file_bytes) ? finish_file() : Status();
}

Status RowMerge::finish_file() {
  if (builder_ == nullptr) return {};
  COPPICE_TRY(builder_->finish());
  COPPICE_TRY(file_->finish());
  const FileReference at{file_->number(), 0, file_->size()};
  written_bytes_ += at.length;
  builder_.reset();
  file_.reset();
  auto opened = COPPICE_TRY(store_.open_rows(at, !input_.into_last));
  out_.push_back(std::move(opened));
  return {};
}

}  // namespace coppice::lsm
