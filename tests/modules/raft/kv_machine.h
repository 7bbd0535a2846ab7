// kv_machine.h — a key-value state machine on the log, the simplest thing that can lose data.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interfaces/consensus.h"

namespace coppice::raft {

// An entry is "key=value".
class KvMachine final : public StateMachine {
 public:
  Status apply(const Entry& entry) override {
    if (before_apply) COPPICE_TRY(before_apply(entry));
    if (entry.at.index <= applied) return fail(Code::kInternal, "entry applied twice");
    if (entry.at.hlc <= last_hlc) return fail(Code::kInternal, "timestamps do not increase");
    const std::string_view text = as_text(entry.payload.view());
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return fail(Code::kCorruption, "not a pair");
    values[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    order.push_back(std::string(text.substr(0, equals)));
    applied = entry.at.index;
    last_hlc = entry.at.hlc;
    if (entry.local != nullptr) ++applied_local_objects;
    return {};
  }
  Status replay_local(ByteView payload) override {
    order.push_back("local " + std::string(as_text(payload)));
    return {};
  }
  LogIndex applied_through() const override { return skip_through; }

  std::function<Status(const Entry&)> before_apply;
  LogIndex skip_through = {};  // what "its own files" hold
  std::map<std::string, std::string> values;
  std::vector<std::string> order;  // keys, and local records, as they came
  LogIndex applied = {};
  Hlc last_hlc = {};
  int applied_local_objects = 0;
};

class SetValue final : public Proposal {
 public:
  SetValue(std::string key, std::string value) : text_(std::move(key) + '=' + value) {}
  Result<ByteBuffer> stamp(LogPosition at) override {
    stamped = at;
    if (refusal) return fail(*refusal, "refused by stamp");
    const ByteView bytes = as_bytes(text_);
    return ByteBuffer(bytes.begin(), bytes.end());
  }

  LogPosition stamped;
  std::optional<Code> refusal;

 private:
  std::string text_;
};

}  // namespace coppice::raft
