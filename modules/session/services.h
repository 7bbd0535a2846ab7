// services.h — what all sessions share.
#pragma once

#include "interfaces/catalog.h"
#include "interfaces/executor.h"
#include "interfaces/meter.h"
#include "interfaces/planner.h"
#include "interfaces/txn.h"
#include "kernel/base/time.h"
#include "modules/session/setting_table.h"
#include "modules/session/usage_board.h"

namespace coppice::session {

struct SessionLimits {
  std::uint64_t session_bytes = 1_GiB;    // texts, prepared statements, writes of a transaction
  std::uint64_t statement_bytes = 1_GiB;  // what one statement sorts, groups, hashes
};

// All of it outlives every session.
struct SessionServices {
  Catalog& catalog;
  Planner& planner;
  Executor& executor;
  TxnManager& txns;
  Metering& metering;
  Engine* engine = nullptr;  // for the planner's counts; may be absent
  const Clock& clock;
  const SettingTable& settings;
  UsageBoard& usage;
  SessionLimits limits = {};
};

}  // namespace coppice::session
