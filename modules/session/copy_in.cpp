// copy_in.cpp — the loop over pieces, lines and batches.
#include "modules/session/copy_in.h"

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/fiber.h"

namespace coppice::session {

namespace {

// As PostgreSQL shows data in a context: at most 100 bytes of it.
std::string shown(std::string_view data) {
  constexpr std::size_t kShownMax = 100;
  if (data.size() <= kShownMax) return std::string(data);
  std::size_t end = kShownMax;
  while (end > 0 && (static_cast<unsigned char>(data[end]) & 0xC0U) == 0x80U) --end;
  return std::string(data.substr(0, end)) + "...";
}

}  // namespace

CopyIn::CopyIn(Executor& executor, const CopyStatement& statement, TableInfoRef table,
               std::vector<CopyColumn> columns, std::vector<std::size_t> order,
               const SqlSettings& settings, ExecuteContext context)
    : executor_(executor),
      statement_(statement),
      table_(std::move(table)),
      columns_(std::move(columns)),
      order_(std::move(order)),
      settings_(settings),
      context_(context),
      line_bytes_(*context.budget),
      constants_(columns_.size()) {
  for (const CopyColumn& column : columns_) buffers_.emplace_back(column.type->info().physical);
}

std::string CopyIn::where(std::string_view more) const {
  return "COPY " + table_->name + ", line " + std::to_string(lines_.line_number()) +
         std::string(more);
}

Result<std::uint64_t> CopyIn::run(ResultSink& sink) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CopyColumn& column = columns_[i];
    if (column.default_value == nullptr || column.volatile_default) continue;
    constants_[i] = COPPICE_TRY(executor_.evaluate(*column.default_value, context_));
  }
  COPPICE_TRY(sink.copy_in_begin({.binary = false, .columns = order_.size()}));
  for (;;) {
    const std::optional<ByteView> piece = COPPICE_TRY(sink.copy_in_next());
    COPPICE_TRY(fiber::maybe_yield(64));
    if (piece) {
      lines_.feed(*piece);
    } else {
      lines_.end();
    }
    if (Status taken = take_lines(); !taken) {
      if (taken.error().find_note(sql_field::kWhere) != nullptr)
        return std::unexpected(std::move(taken).error());
      return std::unexpected(std::move(taken).error().note(sql_field::kWhere, where("")));
    }
    if (!piece) break;
  }
  COPPICE_TRY(flush());
  return rows_;
}

Status CopyIn::take_lines() {
  for (;;) {
    const std::optional<std::string_view> line = COPPICE_TRY(lines_.next());
    if (lines_.buffered_bytes() > line_bytes_.bytes())
      COPPICE_TRY(line_bytes_.grow(lines_.buffered_bytes() - line_bytes_.bytes()));
    if (!line) return {};
    if (statement_.header && lines_.line_number() == 1) continue;
    COPPICE_TRY(add_row(*line));
    if (buffers_.empty() || buffers_.front().size() == kVectorRows || batch_bytes_ > kBatchBytesMax)
      COPPICE_TRY(flush());
  }
}

Status CopyIn::add_row(std::string_view line) {
  fields_.split(line, statement_.delimiter.front(), statement_.null_text);
  if (fields_.size() > order_.size()) {
    return std::unexpected(sql_error("22P04", "extra data after last expected column")
                               .note(sql_field::kWhere, where(": \"" + shown(line) + "\"")));
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const CopyColumn& column = columns_[order_[i]];
    if (i == fields_.size()) {
      return std::unexpected(
          sql_error("22P04", "missing data for column \"" + column.column->name + "\"")
              .note(sql_field::kWhere, where(": \"" + shown(line) + "\"")));
    }
    VectorBuffer& buffer = buffers_[order_[i]];
    const std::optional<std::string_view> field = fields_[i];
    if (!field) {
      buffer.append_null();
      continue;
    }
    Status parsed = column.type->parse(WireForm::kText, as_bytes(*field), column.column->modifier,
                                       settings_, buffer);
    if (!parsed) {
      return std::unexpected(std::move(parsed).error().note(
          sql_field::kWhere,
          where(", column " + column.column->name + ": \"" + shown(*field) + "\"")));
    }
  }
  batch_bytes_ += line.size();
  ++rows_;
  return add_defaults();
}

Status CopyIn::add_defaults() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CopyColumn& column = columns_[i];
    if (column.field >= 0) continue;
    if (constants_[i]) {
      buffers_[i].append(constants_[i]->datum());
    } else if (column.default_value != nullptr) {
      const Value value = COPPICE_TRY(executor_.evaluate(*column.default_value, context_));
      buffers_[i].append(value.datum());
    } else {
      buffers_[i].append_null();
    }
  }
  return {};
}

Status CopyIn::flush() {
  batch_bytes_ = 0;
  if (buffers_.empty() || buffers_.front().size() == 0) return {};
  RowBatch batch;
  batch.rows = buffers_.front().size();
  batch.selection = Selection::all(batch.rows);
  for (const VectorBuffer& buffer : buffers_) batch.columns.push_back(buffer.view());
  COPPICE_TRY(executor_.insert_rows(table_, batch, context_));
  for (VectorBuffer& buffer : buffers_) buffer.clear();
  return {};
}

}  // namespace coppice::session
