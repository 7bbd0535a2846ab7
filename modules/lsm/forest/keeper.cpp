#include "modules/lsm/forest/keeper.h"

#include <algorithm>

#include "interfaces/types/sql_error.h"
#include "kernel/base/assert.h"

namespace coppice::lsm {

Keeper::Keeper(FileStore& store, Consensus& consensus, Tables& tables, Snapshots& snapshots,
               Applier& applier, const Log& log, const ForestOptions& options)
    : store_(store),
      consensus_(consensus),
      tables_(tables),
      snapshots_(snapshots),
      applier_(applier),
      log_(log),
      options_(options),
      manifests_(store.vfs(), log),
      run_merger_(apply_mutex_, [this](const TablePtr& table) { recount(table); }),
      merger_(store, tables, snapshots, [this](const auto& install) { return edit(install); }, log,
              {.file_bytes = options.file_bytes, .codec = nullptr}) {}

Keeper::~Keeper() {
  COPPICE_ASSERT(!flush_task_.joinable());
}

// --- opening ------------------------------------------------------------------------------------

Status Keeper::open() {
  Status loaded = load();
  return loaded ? std::move(loaded) : std::unexpected(explain(std::move(loaded).error()));
}

Status Keeper::load() {
  auto manifest = COPPICE_TRY(manifests_.load());
  COPPICE_TRY(store_.begin_numbers(manifest ? manifest->next_file : 1));
  if (manifest) COPPICE_TRY(restore(*std::move(manifest)));
  doomed_ = COPPICE_TRY(store_.orphans(ledger_.live()));
  return {};
}

Error Keeper::explain(Error error) const {
  if (manifests_.passed_over().empty() || error.code() == Code::kIo) return error;
  return std::move(error).context("after passing over " + manifests_.passed_over());
}

void Keeper::replayed() {
  const fiber::MutexGuard guard(edit_mutex_);
  may_remove_ = true;
  remove_dead();
}

Status Keeper::restore(Manifest&& manifest) {
  tables_.restore(std::move(manifest.namespaces), std::move(manifest.epochs));
  for (ManifestTable& from : manifest.tables) {
    TableDefinition definition;
    definition.table = from.table;
    definition.kind = from.kind;
    const TablePtr table = tables_.add(definition);
    table->next_egid = from.next_egid;
    table->flushed_through = from.flushed_through;
    table->restore(std::move(from.definitions));
    COPPICE_TRY(open_files(from, *table));
  }
  snapshots_.set_applied(manifest.applied);
  applier_.begin(manifest.known_through, manifest.replay_from);
  flushed_through_ = manifest.replay_from.value;
  manifest_through_ = manifest.known_through;
  files_ = ledger_.files();
  file_bytes_ = ledger_.bytes();
  log_.info("opened the forest", "manifest={} tables={} files={} bytes={} replay_from={}",
            manifest.sequence, manifest.tables.size(), ledger_.files(), ledger_.bytes(),
            manifest.replay_from.value);
  return {};
}

Status Keeper::open_files(const ManifestTable& from, Table& to) {
  for (const auto* level : {&from.level0, &from.last}) {
    for (const FileReference& at : *level) ledger_.add(at);
  }
  if (from.kind == TableKind::kRows) {
    RowTreeVersion version;
    for (const FileReference& at : from.level0) {
      auto file = COPPICE_TRY(store_.open_rows(at, true));
      version.level0.push_back(std::move(file));
    }
    for (const FileReference& at : from.last) {
      auto file = COPPICE_TRY(store_.open_rows(at, false));
      version.last.push_back(std::move(file));
    }
    to.rows().store(std::move(version));
    return {};
  }
  IndexTreeVersion version = *to.index().load();
  for (const FileReference& at : from.level0) {
    auto file = COPPICE_TRY(store_.open_index(at));
    version.level0.push_back(std::move(file));
  }
  for (const FileReference& at : from.last) {
    auto file = COPPICE_TRY(store_.open_index(at));
    version.bottom.push_back(std::move(file));
  }
  to.index().store(std::move(version));
  return {};
}

void Keeper::start() {
  stopped_ = false;
  flush_task_ = fiber::spawn(
      {.name = "lsm flush", .priority = fiber::Priority::kUrgentFlush, .cancel = &stopping_},
      [this] { run_flush(); });
  run_merger_.start();
  merger_.start();
}

void Keeper::give_up() {
  const fiber::MutexGuard guard(round_mutex_);
  given_up_ = true;
  round_done_.notify_all();
}

void Keeper::stop() {
  if (!flush_task_.joinable()) return;
  stopping_.cancel(Code::kUnavailable, "the storage engine is stopping");
  merger_.stop();
  run_merger_.stop();
  flush_task_.join();
  const fiber::MutexGuard guard(round_mutex_);
  stopped_ = true;
  round_done_.notify_all();
}

// --- memory -------------------------------------------------------------------------------------

void Keeper::recount(const TablePtr& table) {
  const bool dirty = table->first_unflushed().value != 0;
  const std::size_t bytes = dirty ? table->memory_bytes() : 0;
  memory_bytes_ += bytes - table->counted_bytes;  // modulo 2^64
  table->counted_bytes = bytes;
  if (dirty == table->dirty) return;
  table->dirty = dirty;
  if (dirty) {
    dirty_.push_back(table);
  } else {
    std::erase(dirty_, table);
  }
}

void Keeper::applied(std::size_t entry_bytes) {
  for (const TablePtr& table : applier_.touched()) {
    recount(table);
    run_merger_.note(table);
  }
  log_bytes_ += entry_bytes;
  if (applier_.dropped()) {
    drops_pending_ = true;
    flush_wanted_.set();
  }
  if (memory_bytes_.load() >= frozen_bytes_.load() + options_.memtable_bytes / 2 ||
      log_bytes_ >= options_.memtable_bytes * kLogBytesPerMemtableByte)
    flush_wanted_.set();
}

// Before an entry is applied. Whatever is in memory can be flushed without apply going on, so this
// ends unless flushes fail.
Status Keeper::wait_for_room() {
  if (!over_budget()) return {};
  const fiber::MutexGuard guard(round_mutex_);
  while (over_budget()) {
    const bool hopeless =
        failures_ >= kFlushAttemptsMax && round_error_ && round_error_->code() != Code::kDiskFull;
    if (hopeless || (given_up_ && failures_ > 0)) {
      return std::unexpected(round_error_->clone().context("memtables are full"));
    }
    flush_wanted_.set();
    COPPICE_TRY(round_done_.wait(round_mutex_));
  }
  return {};
}

Status Keeper::admit_change() const {
  if (!disk_full_.load()) return {};
  return std::unexpected(
      sql_error(sqlstate::kDiskFull, "could not write a table: No space left on device")
          .note(sql_field::kHint, "Check free disk space."));
}

// Tables that no read finds any more. Not while a flush has their memtables.
void Keeper::forget_dropped(Hlc snap) {
  const auto drop_all = [this](const auto& files) {
    for (const auto& file : files) ledger_.drop(file->at);
  };
  drops_pending_ = false;
  for (const TablePtr& table : tables_.all()) {
    if (!table->dropped_for_all(snap)) {
      if (table->newest() == nullptr) drops_pending_ = true;
      continue;
    }
    if (table->kind() == TableKind::kRows) {
      const RowTreeRef tree = table->rows().load();
      drop_all(tree->level0);
      drop_all(tree->last);
    } else {
      const IndexTreeRef tree = table->index().load();
      drop_all(tree->level0);
      drop_all(tree->bottom);
    }
    memory_bytes_ -= table->counted_bytes;
    table->counted_bytes = 0;
    if (table->dirty) std::erase(dirty_, table);
    table->dirty = false;
    tables_.forget(table->ref());
    manifest_stale_ = true;
  }
  tables_.forget_namespaces(snap);
}

// --- flush --------------------------------------------------------------------------------------

Status Keeper::flush_all() {
  const fiber::MutexGuard guard(round_mutex_);
  const std::uint64_t request = ++requested_;
  flush_wanted_.set();
  while (finished_ < request) {
    if (stopped_) return fail(Code::kUnavailable, "the storage engine is not running");
    COPPICE_TRY(round_done_.wait(round_mutex_));
  }
  if (round_error_) return std::unexpected(round_error_->clone());
  return {};
}

void Keeper::run_flush() {
  while (!stopping_.cancelled()) {
    Deadline retry = drops_pending_ ? fiber::clock().now() + kDropDelay : Deadline::never();
    if (failures_ > 0)
      retry = fiber::clock().now() + kFlushRetryDelay * (1 << std::min(failures_ - 1, 4U));
    const Status wanted = flush_wanted_.wait(retry);
    if (!wanted && wanted.error().code() != Code::kDeadlineExceeded) return;
    // Waiters set the event all the time; a disk that refuses is given the time all the same.
    if (wanted && failures_ > 0 && !fiber::sleep_until(retry)) return;
    flush_wanted_.reset();
    std::uint64_t requests = 0;
    {
      const fiber::MutexGuard guard(round_mutex_);
      requests = requested_;
    }
    finish_round(requests, flush_round());
  }
}

void Keeper::finish_round(std::uint64_t requests, Status status) {
  if (!status && !stopping_.cancelled())
    log_.warn("could not flush memtables", "why=\"{}\"", status.error().to_string());
  frozen_bytes_ = 0;  // what could not be flushed counts as active again
  const fiber::MutexGuard guard(round_mutex_);
  finished_ = requests;
  disk_full_ = !status && status.error().code() == Code::kDiskFull;
  failures_ = status ? 0 : failures_ + 1;
  round_error_.reset();
  if (!status) round_error_ = std::move(status).error();
  round_done_.notify_all();
}

Status Keeper::flush_round() {
  COPPICE_TRY(merger_.wait_for_level0());
  Flush flush;
  LogIndex through;
  const Hlc snap = snapshots_.move_snap();
  {
    const fiber::MutexGuard edit_guard(edit_mutex_);
    const fiber::MutexGuard guard(apply_mutex_);
    forget_dropped(snap);
    for (const TablePtr& table : dirty_) flush.add(table);
    frozen_bytes_ = memory_bytes_.load();
    log_bytes_ = 0;
    through = applier_.applied();
    if (flush.empty() && !manifest_stale_ && through <= manifest_through_) return {};
  }
  const Instant begin = fiber::clock().now();
  if (!flush.empty()) {
    COPPICE_TRY(wait_durable(through));
    COPPICE_TRY(flush.write(store_, snap));
  }
  COPPICE_TRY(edit([&](FileLedger& ledger) {
    flush.install();
    frozen_bytes_ = 0;
    for (const Flush::Part& part : flush.parts()) {
      for (const RowFileRef& file : part.row_level0) ledger.add(file->at);
      for (const RowFileRef& file : part.row_last) ledger.add(file->at);
      for (const IndexFileRef& file : part.index_level0) ledger.add(file->at);
      recount(part.table);
    }
  }));
  merger_.wake();
  log_.debug(
      "flushed memtables", "file={} bytes={} trees={} through={} took_ms={}", flush.file(),
      flush.bytes(), flush.parts().size(), through.value,
      std::chrono::duration_cast<std::chrono::milliseconds>(fiber::clock().now() - begin).count());
  return {};
}

// An entry that was proposed relaxed may be applied and not durable: were it in a file, a power cut
// could take it from the log alone, and its index would be given out again.
Status Keeper::wait_durable(LogIndex index) {
  if (consensus_.state().durable >= index) return {};
  return consensus_.append_local({});  // durable after everything before it
}

// --- manifest -----------------------------------------------------------------------------------

Status Keeper::edit(const std::function<void(FileLedger&)>& install) {
  const fiber::MutexGuard guard(edit_mutex_);
  Manifest manifest;
  {
    const fiber::MutexGuard apply_guard(apply_mutex_);
    install(ledger_);
    manifest_stale_ = true;
    manifest = collect();
  }
  const std::vector<std::uint64_t> dead = ledger_.take_dead();
  doomed_.insert(doomed_.end(), dead.begin(), dead.end());
  files_ = ledger_.files();
  file_bytes_ = ledger_.bytes();
  COPPICE_TRY(wait_durable(manifest.known_through));
  COPPICE_TRY(manifests_.write(manifest));
  manifest_stale_ = false;
  manifest_through_ = manifest.known_through;
  flushed_through_ = manifest.replay_from.value;
  consensus_.release_through(manifest.replay_from);
  remove_dead();
  return {};
}

Manifest Keeper::collect() {
  Manifest manifest;
  manifest.known_through = applier_.known_through();
  manifest.replay_from = applier_.applied();
  manifest.applied = snapshots_.applied();
  manifest.next_file = store_.next_number();
  manifest.namespaces = tables_.namespace_versions();
  manifest.epochs = tables_.epochs();
  const auto references = [](const auto& files, std::vector<FileReference>& to) {
    for (const auto& file : files) to.push_back(file->at);
  };
  for (const TablePtr& table : tables_.all()) {
    ManifestTable& made = manifest.tables.emplace_back();
    made.table = table->ref();
    made.kind = table->kind();
    made.next_egid = table->next_egid;
    // During replay a tree may be ahead of what has been replayed.
    const LogIndex unflushed = table->first_unflushed();
    made.flushed_through = unflushed.value != 0
                               ? LogIndex{unflushed.value - 1}
                               : std::max(applier_.applied(), table->flushed_through);
    manifest.replay_from = std::min(manifest.replay_from, made.flushed_through);
    made.definitions = *table->versions();
    if (table->kind() == TableKind::kRows) {
      const RowTreeRef tree = table->rows().load();
      references(tree->level0, made.level0);
      references(tree->last, made.last);
    } else {
      const IndexTreeRef tree = table->index().load();
      references(tree->level0, made.level0);
      references(tree->bottom, made.last);
    }
  }
  return manifest;
}

// Readers that have one of them open go on.
void Keeper::remove_dead() {
  if (!may_remove_) return;
  std::vector<std::uint64_t> left;
  for (const std::uint64_t file : doomed_) {
    const Status removed = store_.remove(file);
    if (removed) continue;
    log_.warn("could not remove a file", "file={} why=\"{}\"", file, removed.error().to_string());
    left.push_back(file);  // tried again; an orphan for the next start at the latest
  }
  doomed_ = std::move(left);
}

EngineCounters Keeper::counters() const {
  return {.memtable_bytes = memory_bytes_.load(),
          .flushed_through = flushed_through_.load(),
          .files = files_.load(),
          .file_bytes = file_bytes_.load(),
          .merge_debt_bytes = merger_.debt_bytes()};
}

}  // namespace coppice::lsm
