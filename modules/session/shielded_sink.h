// shielded_sink.h — the client's sink, out of reach of the statement's cancel token.
//
// Role:     a message that is half sent when the statement is cancelled must still go out whole; so
//           the sink obeys what the connection obeys.
// Parks:    as the sink.
#pragma once

#include "interfaces/session.h"
#include "kernel/fiber/cancel.h"

namespace coppice::session {

class ShieldedSink final : public ResultSink {
 public:
  ShieldedSink(ResultSink& to, fiber::CancelToken* outer) : to_(to), outer_(outer) {}

  Status columns(std::span<const ResultColumn> columns) override {
    const fiber::CancelScope scope(outer_);
    return to_.columns(columns);
  }
  Status rows(const RowBatch& batch) override {
    const fiber::CancelScope scope(outer_);
    return to_.rows(batch);
  }
  Status command_complete(std::string_view tag) override {
    const fiber::CancelScope scope(outer_);
    return to_.command_complete(tag);
  }
  Status empty_query() override { return to_.empty_query(); }
  Status notice(const Error& notice) override {
    const fiber::CancelScope scope(outer_);
    return to_.notice(notice);
  }
  Status parameter_changed(std::string_view name, std::string_view value) override {
    return to_.parameter_changed(name, value);
  }
  Status copy_in_begin(const CopyFormat& format) override {
    const fiber::CancelScope scope(outer_);
    return to_.copy_in_begin(format);
  }
  Result<std::optional<ByteView>> copy_in_next() override {
    const fiber::CancelScope scope(outer_);
    return to_.copy_in_next();
  }
  Status copy_out_begin(const CopyFormat& format) override {
    const fiber::CancelScope scope(outer_);
    return to_.copy_out_begin(format);
  }
  Status copy_out_data(ByteView data) override {
    const fiber::CancelScope scope(outer_);
    return to_.copy_out_data(data);
  }
  Status copy_out_end() override {
    const fiber::CancelScope scope(outer_);
    return to_.copy_out_end();
  }

 private:
  ResultSink& to_;
  fiber::CancelToken* const outer_;
};

}  // namespace coppice::session
