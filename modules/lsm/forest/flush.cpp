#include "modules/lsm/forest/flush.h"

#include <algorithm>

#include "kernel/base/assert.h"

namespace coppice::lsm {

void Flush::add(const TablePtr& table) {
  Part part;
  part.table = table;
  if (table->kind() == TableKind::kRows) {
    part.rows = table->rows().freeze();
  } else {
    table->index().freeze();
    part.runs = table->index().load()->frozen;  // those of a flush that failed, too
  }
  if (!part.rows.empty() || !part.runs.empty()) parts_.push_back(std::move(part));
}

// --- writing ------------------------------------------------------------------------------------

Status Flush::write_rows(FileWriter& file, std::size_t part, Hlc snap) {
  const auto section = [&](const RowMemory& memory, bool last) -> Status {
    const std::uint64_t start = file.size();
    RowFileBuilder builder({file.number(), start, &memory.schema(), {}}, file);
    COPPICE_TRY(last ? memory.table.flush_new(snap, builder)
                     : memory.table.flush_rest(snap, builder));
    if (builder.rows() == 0) return {};
    COPPICE_TRY(builder.finish());
    sections_.push_back({part, {file.number(), start, file.size() - start}, last});
    return {};
  };
  const auto& memory = parts_[part].rows;
  for (auto at = memory.rbegin(); at != memory.rend(); ++at) {  // oldest first
    if ((*at)->table.new_rows() != 0) COPPICE_TRY(section(**at, true));
    if ((*at)->table.changed_rows() != 0) COPPICE_TRY(section(**at, false));
  }
  return {};
}

Status Flush::write_index(FileWriter& file, std::size_t part, Hlc snap) {
  const bool unique = parts_[part].table->index().unique();
  std::vector<std::unique_ptr<IndexInput>> postings;
  std::vector<std::unique_ptr<UniqueInput>> uniques;
  IndexSectionOptions options{.unique = unique};
  for (const FrozenRunsRef& frozen : parts_[part].runs) {
    for (const IndexRunRef& run : frozen->runs) {
      options.lossy |= run->lossy();
      if (unique) {
        uniques.push_back(unique_run_input(run));
      } else {
        postings.push_back(run_input(run));
      }
    }
  }
  const std::uint64_t start = file.size();
  std::optional<IndexSectionWriter> writer;
  const auto drain = [&](auto merge) -> Status {
    for (;;) {
      const bool more = COPPICE_TRY(merge.next());
      if (!more) return {};
      if (!writer) writer.emplace(file, options);
      COPPICE_TRY(writer->add(merge));
    }
  };
  if (unique) {
    COPPICE_TRY(
        drain(UniqueMerge(std::move(uniques), {.snap = snap, .bottom = false, .high = {}})));
  } else {
    COPPICE_TRY(drain(
        IndexMerge(std::move(postings), {.snap = snap, .bottom = false, .low = {}, .high = {}})));
  }
  if (!writer) return {};
  const FileReference at = COPPICE_TRY(writer->finish());
  COPPICE_ASSERT(at.offset == start);
  sections_.push_back({part, at, false});
  return {};
}

Status Flush::write_all(FileWriter& file, Hlc snap) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    COPPICE_TRY(parts_[part].runs.empty() ? write_rows(file, part, snap)
                                          : write_index(file, part, snap));
  }
  bytes_ = file.size();
  return bytes_ == 0 ? Status() : file.finish();
}

Status Flush::open_all(FileStore& store) {
  for (const Section& section : sections_) {
    Part& part = parts_[section.part];
    if (!part.runs.empty()) {
      auto file = COPPICE_TRY(store.open_index(section.at));
      part.index_level0.push_back(std::move(file));
    } else if (section.last) {
      auto file = COPPICE_TRY(store.open_rows(section.at, false));
      part.row_last.push_back(std::move(file));
    } else {
      auto file = COPPICE_TRY(store.open_rows(section.at, true));
      part.row_level0.insert(part.row_level0.begin(), std::move(file));
    }
  }
  return {};
}

Status Flush::write(FileStore& store, Hlc snap) {
  auto file = COPPICE_TRY(store.create(IoClass::kFlush));
  file_ = file->number();
  Status status = write_all(*file, snap);
  file.reset();
  if (status) status = open_all(store);
  if (status && !sections_.empty()) return {};
  sections_.clear();
  bytes_ = 0;
  Status removed = store.remove(std::exchange(file_, 0));
  return status ? std::move(removed) : std::move(status);
}

// --- installing ---------------------------------------------------------------------------------

void Flush::install() const {
  for (const Part& part : parts_) {
    if (part.table->kind() == TableKind::kRows) {
      RowTreeVersion next = *part.table->rows().load();
      std::erase_if(next.memory, [&](const RowMemoryRef& memory) {
        return std::ranges::find(part.rows, memory) != part.rows.end();
      });
      next.level0.insert(next.level0.begin(), part.row_level0.begin(), part.row_level0.end());
      next.last.insert(next.last.end(), part.row_last.begin(), part.row_last.end());
      part.table->rows().store(std::move(next));
    } else {
      IndexTreeVersion next = *part.table->index().load();
      std::erase_if(next.frozen, [&](const FrozenRunsRef& frozen) {
        return std::ranges::find(part.runs, frozen) != part.runs.end();
      });
      next.level0.insert(next.level0.begin(), part.index_level0.begin(), part.index_level0.end());
      part.table->index().store(std::move(next));
    }
  }
}

}  // namespace coppice::lsm
