// query_run.cpp — driving a Query, and keeping its rest.
#include "modules/session/query_run.h"

#include <algorithm>

#include "kernel/fiber/account.h"
#include "kernel/fiber/fiber.h"
#include "modules/session/result_columns.h"

namespace coppice::session {

QueryRun::QueryRun(const SessionServices& services, std::shared_ptr<const QueryPlan> plan,
                   std::unique_ptr<StatementScope> scope, std::unique_ptr<SessionCalls> calls,
                   std::vector<Value> parameters, CatalogViewRef view)
    : services_(services),
      plan_(std::move(plan)),
      scope_(std::move(scope)),
      calls_(std::move(calls)),
      parameters_(std::move(parameters)),
      kept_bytes_(scope_->budget()) {
  context_.catalog = std::move(view);
  context_.calls = calls_.get();
  context_.meter = &scope_->meter();
  context_.budget = &scope_->budget();
  context_.parameters = parameters_;
}

QueryRun::~QueryRun() = default;

Status QueryRun::open(Transaction& txn) {
  const fiber::AccountScope account(&scope_->account());
  context_.txn = &txn;
  query_ = COPPICE_TRY(services_.executor.open(plan_, context_));
  return {};
}

void QueryRun::end() {
  done_ = true;
  batch_ = {};
  batch_used_ = batch_count_ = 0;
  if (query_ != nullptr) affected_ = query_->rows_affected();
}

Result<bool> QueryRun::next_kept() {
  if (detached_ && !kept_.empty() && batch_count_ != 0) kept_.pop_front();  // was given out
  batch_ = {};
  batch_used_ = batch_count_ = 0;
  if (kept_.empty()) return false;
  KeptBatch& kept = kept_.front();
  batch_.rows = batch_count_ = kept.rows;
  batch_.selection = Selection::all(kept.rows);
  for (const VectorBuffer& column : kept.columns) batch_.columns.push_back(column.view());
  return true;
}

Result<bool> QueryRun::next() {
  if (detached_) return next_kept();
  do {
    batch_used_ = batch_count_ = 0;
    COPPICE_TRY(fiber::maybe_yield(64));
    const Result<bool> more = query_->next(batch_);
    COPPICE_TRY(calls_->take_error());  // says more than the function that asked could
    if (!more) return std::unexpected(more.error().clone());
    if (!*more) return false;
    batch_count_ = batch_.selection.count();
  } while (batch_count_ == 0);
  return true;
}

Result<bool> QueryRun::fetch(std::uint64_t limit, ResultSink* sink) {
  const fiber::AccountScope account(&scope_->account());
  rows_sent_ = 0;
  while (!done_ && (limit == 0 || rows_sent_ < limit)) {
    if (batch_used_ == batch_count_) {
      const bool more = COPPICE_TRY(next());
      if (!more) {
        end();
        break;
      }
    }
    const std::uint32_t left = batch_count_ - batch_used_;
    const std::uint32_t take =
        limit == 0 ? left
                   : static_cast<std::uint32_t>(std::min<std::uint64_t>(left, limit - rows_sent_));
    if (sink != nullptr && take == batch_count_) {
      COPPICE_TRY(sink->rows(batch_));
    } else if (sink != nullptr) {
      RowBatch part = batch_;
      part.selection = part_of(batch_, batch_used_, take);
      COPPICE_TRY(sink->rows(part));
    }
    batch_used_ += take;
    rows_sent_ += take;
    rows_total_ += take;
  }

  return done_;
}

Status QueryRun::detach() {
  if (done_ || detached_) return {};
  const fiber::AccountScope account(&scope_->account());
  bool more = batch_used_ < batch_count_;
  if (!more) more = COPPICE_TRY(next());
  while (more) {
    const Selection rows = part_of(batch_, batch_used_, batch_count_ - batch_used_);
    KeptBatch kept;
    kept.rows = rows.count();
    std::uint64_t bytes = sizeof(KeptBatch);
    for (const Vector& column : batch_.columns) {
      VectorBuffer& buffer = kept.columns.emplace_back(column.type());
      rows.for_each([&](std::uint32_t row) { buffer.append(column, row, 1); });
      bytes += buffer.memory_bytes();
    }
    COPPICE_TRY(kept_bytes_.grow(bytes));
    kept_.push_back(std::move(kept));
    more = COPPICE_TRY(next());
  }
  affected_ = query_->rows_affected();
  query_.reset();
  batch_ = {};
  batch_used_ = batch_count_ = 0;
  detached_ = true;
  return {};
}

std::vector<OperatorStats> QueryRun::stats() const {
  return query_ == nullptr ? std::vector<OperatorStats>() : query_->stats();
}

std::string QueryRun::tag() const {
  const auto with = [](std::string_view command, std::uint64_t rows) {
    return std::string(command) + " " + std::to_string(rows);
  };
  switch (plan_->command) {
    case QueryPlan::Command::kSelect:
      return with("SELECT", rows_sent_);
    case QueryPlan::Command::kInsert:
      return with("INSERT 0", affected_);
    case QueryPlan::Command::kUpdate:
      return with("UPDATE", affected_);
    case QueryPlan::Command::kDelete:
      return with("DELETE", affected_);
  }
  return {};
}

}  // namespace coppice::session
