// raw_tree.h — PostgreSQL 15's node headers, for the copier's own files only.
//
// Role:     libpg_query hands out PostgreSQL's raw parse nodes; their layout is that of the server
//           headers of the same major version (postgresql-server-dev-15). Two differences are
//           known: the variables are per thread (PGDLLIMPORT), and LimitOption is
//           renumbered (patch 05_limit_option_enum_value_default of libpg_query).
//           parser_self_test() compares real trees, so that a third one stops the boot.
#pragma once

extern "C" {
#include <postgres.h>  // first, as PostgreSQL wants it

#include <nodes/parsenodes.h>
#include <nodes/pg_list.h>
#include <nodes/value.h>
}

namespace coppice::planner::raw {

static_assert(PG_VERSION_NUM / 10000 == 15, "the copier reads PostgreSQL 15's raw tree");

// LimitOption as libpg_query numbers it, against the header's 2, 0, 1.
inline constexpr int kLimitDefault = 0;
inline constexpr int kLimitCount = 1;
inline constexpr int kLimitWithTies = 2;

// The shapes that the copier reads without asking anybody.
static_assert(sizeof(ListCell) == 8 && offsetof(List, elements) == 16 &&
              offsetof(List, length) == 4);
static_assert(sizeof(Integer) == 8 && sizeof(String) == 16 && sizeof(Boolean) == 8);
static_assert(offsetof(A_Const, val) == 8 && offsetof(A_Const, isnull) == 24 &&
              offsetof(A_Const, location) == 28);
static_assert(offsetof(A_Expr, name) == 8 && offsetof(A_Expr, lexpr) == 16 &&
              offsetof(A_Expr, rexpr) == 24 && offsetof(A_Expr, location) == 32);
static_assert(offsetof(RawStmt, stmt) == 8 && offsetof(RawStmt, stmt_location) == 16 &&
              offsetof(RawStmt, stmt_len) == 20);
static_assert(offsetof(SelectStmt, limitOption) == 112 && offsetof(SelectStmt, op) == 136 &&
              offsetof(SelectStmt, rarg) == 152 && sizeof(SelectStmt) == 160);
static_assert(sizeof(InsertStmt) == 64 && sizeof(UpdateStmt) == 56 && sizeof(DeleteStmt) == 48);
static_assert(sizeof(FuncCall) == 64 && sizeof(RangeVar) == 56 && sizeof(ColumnDef) == 120);
static_assert(sizeof(Constraint) == 184 && sizeof(CreateStmt) == 104 && sizeof(IndexStmt) == 120);

}  // namespace coppice::planner::raw
