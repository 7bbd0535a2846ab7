// copy_out.cpp — formatting and escaping.
#include "modules/session/copy_out.h"

#include "modules/session/copy_text.h"

namespace coppice::session {

Status CopyOut::begin() {
  COPPICE_TRY(sink_.copy_out_begin({.binary = false, .columns = columns_.size()}));
  if (!statement_.header) return {};
  std::vector<std::optional<std::string_view>> names;
  for (const ResultColumn& column : columns_) names.emplace_back(column.name);
  line_.clear();
  append_copy_line(names, statement_.delimiter, statement_.null_text, line_);
  return sink_.copy_out_data(as_bytes(line_));
}

Status CopyOut::rows(const RowBatch& batch) {
  formatted_.resize(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    formatted_[c].clear();
    COPPICE_TRY(columns_[c].type->format(WireForm::kText, batch.columns[c], batch.selection,
                                         settings_, formatted_[c]));
  }
  std::vector<std::optional<std::string_view>> fields(columns_.size());
  for (std::size_t r = 0; r < batch.selection.count(); ++r) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::int64_t end = formatted_[c].ends[r];
      const std::int64_t before = r == 0 ? 0 : formatted_[c].ends[r - 1];
      const auto start = static_cast<std::size_t>(before < 0 ? -1 - before : before);
      fields[c] = std::nullopt;
      if (end >= 0) {
        fields[c] =
            as_text(formatted_[c].bytes).substr(start, static_cast<std::size_t>(end) - start);
      }
    }
    line_.clear();
    append_copy_line(fields, statement_.delimiter, statement_.null_text, line_);
    COPPICE_TRY(sink_.copy_out_data(as_bytes(line_)));
  }
  return {};
}

}  // namespace coppice::session
