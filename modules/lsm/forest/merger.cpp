#include "modules/lsm/forest/merger.h"

#include <algorithm>

#include "modules/lsm/forest/index_tree_merge.h"
#include "modules/lsm/forest/row_merge.h"

namespace coppice::lsm {
namespace {

// `made` in the place of what was merged. Flushes have added files meanwhile, in front of level 0
// and behind the last level.
template <class Ref>
void replace(std::vector<Ref>& level, std::span<const Ref> merged, const std::vector<Ref>& made,
             std::size_t place_if_none) {
  auto at = merged.empty() ? level.begin() + static_cast<std::ptrdiff_t>(place_if_none)
                           : std::ranges::find(level, merged.front());
  at = level.erase(at, at + static_cast<std::ptrdiff_t>(merged.size()));
  level.insert(at, made.begin(), made.end());
}

template <class Ref>
std::span<const Ref> part_of(const std::vector<Ref>& files, std::size_t from, std::size_t to) {
  return std::span<const Ref>(files).subspan(from, to - from);
}

template <class Ref>
void note(FileLedger& ledger, std::span<const Ref> level0, std::span<const Ref> last,
          const std::vector<Ref>& made) {
  for (const Ref& file : made) {
    if (std::ranges::find(last, file) == last.end()) ledger.add(file->at);
  }
  for (const Ref& file : level0) ledger.drop(file->at);
  for (const Ref& file : last) {
    if (std::ranges::find(made, file) == made.end()) ledger.drop(file->at);
  }
}

}  // namespace

Merger::Merger(FileStore& store, Tables& tables, Snapshots& snapshots, Edit edit, const Log& log,
               const Options& options)
    : store_(store),
      tables_(tables),
      snapshots_(snapshots),
      edit_(std::move(edit)),
      log_(log),
      options_(options) {}

void Merger::start() {
  task_ = fiber::spawn(
      {.name = "lsm merge", .priority = fiber::Priority::kBackground, .cancel = &stopping_},
      [this] { run_fiber(); });
  wake();
}

void Merger::stop() {
  stopping_.cancel(Code::kUnavailable, "the storage engine is stopping");
  progress_.set();
  if (task_.joinable()) task_.join();
}

void Merger::run_fiber() {
  MergeLimits limits;
  limits.file_bytes = options_.file_bytes;
  for (;;) {
    if (!wanted_.wait()) return;
    wanted_.reset();
    for (bool more = true; more;) {
      const auto merged = merge_one(limits);
      progress_.set();
      if (stopping_.cancelled()) return;
      more = !merged || *merged;  // after an error: another tree, until all have theirs
    }
  }
}

// The tree to be merged next, and how bad it is.
Merger::Survey Merger::survey(const MergeLimits& limits) {
  Survey survey;
  const fiber::MutexGuard guard(failed_mutex_);
  const Instant now = fiber::clock().now();
  std::uint64_t debt = 0;
  std::size_t most = 0;
  const auto look = [&](const TablePtr& table, const auto& tree, Job job) {
    debt += merge_debt(tree);
    const auto held = not_before_.find(table->ref());
    if (held != not_before_.end() && held->second > now) return;
    survey.level0_most = std::max(survey.level0_most, tree.level0.size());
    const auto pick = pick_merge(tree, limits);
    if (!pick || (survey.job && pick->urgency <= most)) return;
    most = pick->urgency;
    job.table = table;
    job.pick = *pick;
    survey.job = std::move(job);
  };
  for (const TablePtr& table : tables_.all()) {
    Job job;
    if (table->kind() == TableKind::kRows) {
      job.rows = table->rows().load();
      look(table, *job.rows, job);
    } else {
      job.index = table->index().load();
      look(table, *job.index, job);
    }
  }
  debt_bytes_ = debt;
  return survey;
}

Result<bool> Merger::merge_one(const MergeLimits& limits) {
  const fiber::MutexGuard guard(one_at_a_time_);
  const Survey found = survey(limits);
  if (!found.job) return false;
  // Paced by debt: what is behind goes before what is not.
  const bool behind = found.job->pick.urgency >= kLevel0Behind;
  Status merged;
  fiber::Task task = fiber::spawn(
      {.name = "lsm merge job",
       .priority = behind ? fiber::Priority::kUrgentFlush : fiber::Priority::kBackground,
       .cancel = &stopping_},
      [&] { merged = run(*found.job); });
  task.join();
  const TableRef table = found.job->table->ref();
  {
    const fiber::MutexGuard failed_guard(failed_mutex_);
    not_before_.erase(table);
    if (!merged) not_before_[table] = fiber::clock().now() + kMergeRetryDelay;
  }
  if (merged) return true;
  Error error = std::move(merged).error().context(
      "merging table " + std::to_string(table.ns.value) + "." + std::to_string(table.table.value));
  if (!stopping_.cancelled()) log_.warn("could not merge files", "why=\"{}\"", error.to_string());
  return std::unexpected(std::move(error));
}

Status Merger::merge_all() {
  const MergeLimits limits = MergeLimits::everything(options_.file_bytes);
  for (;;) {
    const bool more = COPPICE_TRY(merge_one(limits));
    if (!more) return {};
  }
}

Status Merger::wait_for_level0() {
  while (task_.joinable() && !stopping_.cancelled()) {
    progress_.reset();
    if (survey({}).level0_most < kLevel0Stop) return {};
    wake();
    COPPICE_TRY(progress_.wait());
  }
  return {};
}

// --- one merge ----------------------------------------------------------------------------------

Status Merger::run(const Job& job) {
  return job.rows != nullptr ? run_rows(job) : run_index(job);
}

void Merger::remove(const std::vector<std::uint64_t>& files) {
  for (const std::uint64_t file : files) static_cast<void>(store_.remove(file));
}

Status Merger::run_rows(const Job& job) {
  const auto level0 = part_of(job.rows->level0, 0, job.pick.level0);
  const auto last = part_of(job.rows->last, job.pick.last_from, job.pick.last_to);
  RowMergeInput input;
  input.level0.assign(level0.begin(), level0.end());
  input.last.assign(last.begin(), last.end());
  input.into_last = job.pick.into_last;
  input.rewrite = level0.empty();
  input.snap = snapshots_.move_snap();
  std::vector<RowFileRef> all = input.level0;
  all.insert(all.end(), last.begin(), last.end());
  input.schema = merge_schema(*job.table->versions(), input.snap, all);
  // Neighbours become one, so that there is an end to it.
  input.file_bytes = input.rewrite || !job.pick.into_last ? UINT64_MAX : options_.file_bytes;
  input.io_class = job.pick.into_last ? IoClass::kCompaction : IoClass::kFlush;
  RowMerge merge(store_, std::move(input));
  const std::vector<RowFileRef> made = COPPICE_TRY(merge.run());
  bool installed = false;
  Status edited = edit_([&](FileLedger& ledger) {
    if (!still_there(job)) return;
    installed = true;
    RowTreeVersion next = *job.table->rows().load();
    if (job.pick.into_last) {
      replace(next.level0, level0, {}, 0);
      replace(next.last, last, made, job.pick.last_from);
    } else {
      replace(next.level0, level0, made, 0);
    }
    job.table->rows().store(std::move(next));
    note(ledger, level0, last, made);
  });
  if (!installed) remove(merge.made());
  log_.debug("merged row files", "table={} level0={} last={} made={} bytes={}",
             job.table->ref().table.value, level0.size(), last.size(), merge.made().size(),
             merge.written_bytes());
  return edited ? check_progress(job, made.size()) : std::move(edited);
}

Status Merger::run_index(const Job& job) {
  const auto level0 = part_of(job.index->level0, 0, job.pick.level0);
  const auto bottom = part_of(job.index->bottom, job.pick.last_from, job.pick.last_to);
  IndexTreeMergeInput input;
  input.level0.assign(level0.begin(), level0.end());
  input.bottom.assign(bottom.begin(), bottom.end());
  input.into_bottom = job.pick.into_last;
  input.unique = job.table->index().unique();
  input.snap = snapshots_.move_snap();
  input.codec = job.pick.into_last ? options_.codec : nullptr;
  input.file_bytes = level0.empty() || !job.pick.into_last ? UINT64_MAX : options_.file_bytes;
  input.io_class = job.pick.into_last ? IoClass::kCompaction : IoClass::kFlush;
  IndexTreeMerge merge(store_, std::move(input));
  const std::vector<IndexFileRef> made = COPPICE_TRY(merge.run());
  bool installed = false;
  Status edited = edit_([&](FileLedger& ledger) {
    if (!still_there(job)) return;
    installed = true;
    IndexTreeVersion next = *job.table->index().load();
    if (job.pick.into_last) {
      replace(next.level0, level0, {}, 0);
      replace(next.bottom, bottom, made, job.pick.last_from);
    } else {
      replace(next.level0, level0, made, 0);
    }
    job.table->index().store(std::move(next));
    note(ledger, level0, bottom, made);
  });
  if (!installed) remove(merge.made());
  log_.debug("merged index files", "table={} level0={} bottom={} made={} bytes={}",
             job.table->ref().table.value, level0.size(), bottom.size(), merge.made().size(),
             merge.written_bytes());
  return edited ? check_progress(job, made.size()) : std::move(edited);
}

// A merge that leaves as many files as there were would be picked again at once, and for ever.
Status Merger::check_progress(const Job& job, std::size_t made) {
  const std::size_t last = job.pick.last_to - job.pick.last_from;
  if (job.pick.level0 > 0 && (job.pick.into_last || made < job.pick.level0)) return {};
  if (job.pick.level0 == 0 && made < last) return {};
  return fail(Code::kInternal, "as many files as before");
}

}  // namespace coppice::lsm
