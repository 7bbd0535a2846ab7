// usage_board.h — what every session's present or last statement used, for whoever asks.
//
// Role:     the rows of coppice.statement_usage.
// Owns:     a slot per session, for as long as its session holds it.
// Threads:  a slot is written by its session, read by any fiber.
// Parks:    open() and rows() may wait for each other.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "interfaces/meter.h"
#include "interfaces/session.h"
#include "kernel/base/spin_lock.h"
#include "kernel/base/time.h"
#include "kernel/fiber/sync.h"

namespace coppice::session {

class UsageSlot {
 public:
  static constexpr std::size_t kTextBytesMax = 256;  // of the statement that is shown

  UsageSlot(std::uint32_t process, TenantId tenant, std::string user, std::string client)
      : process_(process), tenant_(tenant), user_(std::move(user)), client_(std::move(client)) {}

  // The session, for as long as it can be cancelled; null at its end.
  void answer_for(Session* session);
  void cancel();

  void begin(std::string_view text, WallTime now);  // a statement
  void add(StatementScope& scope);                  // what one of its meters counted
  void end(WallTime now);

  struct Figures {
    std::array<char, kTextBytesMax> text{};
    std::size_t text_bytes = 0;
    bool running = false;
    WallTime started, ended;
    std::array<std::uint64_t, kResourceCount> used{};
    std::uint64_t memory_peak = 0;
    std::uint64_t statements = 0;
  };
  Figures figures() const;
  std::uint32_t process() const { return process_; }
  TenantId tenant() const { return tenant_; }
  const std::string& user() const { return user_; }
  const std::string& client() const { return client_; }

 private:
  const std::uint32_t process_;
  const TenantId tenant_;
  const std::string user_, client_;
  mutable SpinLock lock_;  // guards what follows
  Session* session_ = nullptr;
  Figures figures_;
};

class UsageBoard {
 public:
  std::shared_ptr<UsageSlot> open(std::uint32_t process, TenantId tenant, std::string user,
                                  std::string client);
  // Ends the running statement of a session of `tenant`; false: there is no such session.
  bool cancel(TenantId tenant, std::uint32_t process);
  // COPY text of the sessions of one tenant: pid, user_name, client_address, state, query,
  // started_us, duration_us, the resources, memory_peak_bytes, statements.
  std::string rows(TenantId tenant, WallTime now) const;

 private:
  mutable fiber::Mutex mutex_;  // guards what follows
  std::uint64_t next_ = 1;
  mutable std::map<std::uint64_t, std::weak_ptr<UsageSlot>> slots_;  // ended ones go when seen
};

// COPY text of what one tenant used in all: database, then the resources.
std::string tenant_rows(const Metering& metering, TenantId tenant, std::string_view database);

}  // namespace coppice::session
