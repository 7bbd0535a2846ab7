// session_settings.h — the settings of one session: SET, SET LOCAL, RESET, SHOW, and ROLLBACK.
//
// Role:     values over the table's defaults: what the client asked for at start, what SET changed,
//           what SET LOCAL changed until the transaction ends; and a log to undo them by.
// Owns:     the values. The table outlives it.
// Threads:  one at a time.   Parks: never.
// Errors:   42704, 22023, 55P02.
// Holds:    reported values that changed are told once, by take_changes().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interfaces/sql_pack.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"
#include "modules/session/setting_table.h"
#include "modules/session/setting_value.h"

namespace coppice::session {

enum class SettingScope : std::uint8_t { kStartup, kSession, kLocal };

class SessionSettings {
 public:
  SessionSettings(const SettingTable& table, ZoneCheck known_zone);

  // Nothing as `value`: back to what it was at start.
  Status set(std::string_view name, const std::optional<std::string>& value, SettingScope scope);
  // Without asking whether a client may.
  void force(std::string_view name, std::string value);
  Status reset_all();

  // As SHOW prints it; 42704.
  Result<std::string> show(std::string_view name) const;
  // "TimeZone" for "timezone"; the name itself where the table does not know it.
  std::string_view spelling(std::string_view name) const;
  // The value in canonical form; empty for what does not exist.
  std::string value(std::string_view name) const;
  // All of pg_settings, as COPY text.
  std::string describe_all() const;
  const SettingTable& table() const { return table_; }

  std::size_t mark() { return floor_ = undo_.size(); }
  void undo_to(std::size_t mark);
  void end_transaction(bool commit);

  std::vector<std::pair<std::string, std::string>> reported() const;
  std::vector<std::pair<std::string, std::string>> take_changes();

  // What transaction_isolation and transaction_read_only say; empty: the defaults.
  void show_transaction(std::string_view isolation, std::string_view read_only) {
    isolation_ = isolation;
    read_only_ = read_only;
  }
  void answer_names_by(CallContext* calls) { sql_.calls = calls; }

  // What statements ask for all the time.
  const SqlSettings& sql() const { return sql_; }
  struct Hot {
    bool repeatable_read = false, read_only = false, relaxed = false;  // new transactions
    Duration lock_timeout{}, statement_timeout{};                      // zero: none
    std::vector<std::string> search_path;  // "$user" is the user's schema
  };
  const Hot& hot() const { return hot_; }
  std::uint64_t path_version() const { return path_version_; }  // of search_path's value

 private:
  struct Values {
    std::optional<std::string> startup, session, local;
  };
  struct Undo {
    std::string name;
    Values before;
  };

  Status check_allowed(const Setting& setting, SettingScope scope) const;
  const Values* find(std::string_view canonical) const;
  void change(const std::string& canonical, Values to);
  void refresh(std::string_view canonical);
  void refresh_path();
  Duration timeout(std::string_view name) const;

  const SettingTable& table_;
  const ZoneCheck known_zone_;
  std::map<std::string, Values, std::less<>> values_;  // by canonical name
  std::vector<Undo> undo_;
  std::size_t floor_ = 0;  // entries from here on are of one savepoint: one a name is enough
  std::map<std::string, std::string, std::less<>> told_;  // reported values as last told
  std::string_view isolation_, read_only_;                // literals
  bool changed_ = false;                                  // since take_changes()
  Hot hot_;
  std::uint64_t path_version_ = 0;
  SqlSettings sql_;
};

}  // namespace coppice::session
