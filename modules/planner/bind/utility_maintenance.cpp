// utility_maintenance.cpp — LOCK TABLE, VACUUM, ANALYZE, DISCARD.
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/options.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

constexpr std::array<std::string_view, 13> kVacuumOptions = {"analyze",
                                                             "buffer_usage_limit",
                                                             "disable_page_skipping",
                                                             "freeze",
                                                             "full",
                                                             "index_cleanup",
                                                             "parallel",
                                                             "process_main",
                                                             "process_toast",
                                                             "skip_locked",
                                                             "truncate",
                                                             "verbose",
                                                             "only_database_stats"};

}  // namespace

Result<Statement> bind_lock(BindContext& context, const ast::Lock& tree) {
  LockTableStatement lock;
  lock.tables = COPPICE_TRY(qualified_names(context, tree.tables));
  static_assert(static_cast<int>(ast::TableLock::kAccessShare) ==
                    static_cast<int>(RelationLock::kAccessShare) + 1 &&
                static_cast<int>(ast::TableLock::kAccessExclusive) ==
                    static_cast<int>(RelationLock::kAccessExclusive) + 1);
  lock.mode = static_cast<RelationLock>(static_cast<int>(tree.mode) - 1);
  lock.nowait = tree.nowait;
  return Statement{std::move(lock)};
}

Result<Statement> bind_vacuum(BindContext& context, const ast::Vacuum& tree) {
  MaintenanceStatement vacuum;
  vacuum.tag = tree.analyze_only ? "ANALYZE" : "VACUUM";
  for (const ast::Option& option : tree.options) {
    const bool known = tree.analyze_only
                           ? option.name == "verbose" || option.name == "skip_locked"
                           : std::ranges::find(kVacuumOptions, option.name) != kVacuumOptions.end();
    if (!known)
      return context.error(option.location, sqlstate::kSyntaxError,
                           "unrecognized " + vacuum.tag + " option " + quoted(option.name));
  }
  for (const ast::VacuumTable& item : tree.tables) {
    QualifiedName name = COPPICE_TRY(qualified_name(context, *item.table));
    vacuum.tables.push_back(std::move(name));
  }
  return Statement{std::move(vacuum)};
}

Result<Statement> bind_discard(BindContext&, const ast::Discard& tree) {
  switch (tree.type) {
    case ast::DiscardKind::kAll:
      return Statement{DiscardStatement{"ALL"}};
    case ast::DiscardKind::kPlans:
      return Statement{DiscardStatement{"PLANS"}};
    case ast::DiscardKind::kSequences:
      return Statement{DiscardStatement{"SEQUENCES"}};
    case ast::DiscardKind::kTemporary:
      break;
  }
  return Statement{DiscardStatement{"TEMP"}};
}

}  // namespace coppice::planner
