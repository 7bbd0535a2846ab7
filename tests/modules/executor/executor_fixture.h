// executor_fixture.h — the executor on the model engine, real transactions, the real catalog and
// the
// packs core and text; plans built by hand, answers as text.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/types/sql_error.h"
#include "kernel/fiber/cancel.h"
#include "kernel/fiber/fiber.h"
#include "kernel/fiber/sim_runtime.h"
#include "modules/catalog/pg_catalog/pg_catalog.h"
#include "modules/catalog/stored_catalog.h"
#include "modules/executor/plan_executor.h"
#include "modules/txn/manager.h"
#include "plugins/sql/catalog/catalog_pack.h"
#include "plugins/sql/core/core_pack.h"
#include "plugins/sql/text/text_pack.h"
#include "tests/support/mem_engine.h"
#include "tests/support/unlimited_budget.h"

namespace coppice::testing {

class FixedCalls final : public CallContext {
 public:
  SqlSettings values;
  const SqlSettings& settings() const override { return values; }
  WallTime transaction_start() const override { return {1}; }
  WallTime statement_start() const override { return {2}; }
  WallTime clock_now() const override { return {3}; }
  Rng& random() override { return random_; }
  std::optional<std::string> ask(std::string_view, std::span<const Datum>) override { return {}; }

 private:
  Rng random_{1};
};

inline std::unique_ptr<SqlRegistry> packs_registry() {
  auto registry = std::make_unique<SqlRegistry>();
  const sql_core::CorePack core;
  const sql_text::TextPack text;
  core.add_types(*registry);
  text.add_types(*registry);
  const sql_catalog::CatalogPack arrays;  // last: of all types before it
  arrays.add_types(*registry);
  core.add_functions(*registry);
  text.add_functions(*registry);
  arrays.add_functions(*registry);
  return registry;
}

// Refuses above a limit.
class SmallBudget final : public Budget {
 public:
  explicit SmallBudget(std::uint64_t limit) : limit_(limit) {}
  Status reserve(std::uint64_t bytes) override {
    if (live_ + bytes > limit_)
      return std::unexpected(sql_error(sqlstate::kOutOfMemory, "out of memory"));
    live_ += bytes;
    peak_ = std::max(peak_, live_);
    return {};
  }
  void release(std::uint64_t bytes) noexcept override { live_ -= bytes; }
  std::uint64_t live() const override { return live_; }
  std::uint64_t peak() const override { return peak_; }

 private:
  std::uint64_t limit_, live_ = 0, peak_ = 0;
};

using NodeRef = std::shared_ptr<PlanNode>;

inline std::string said(const Error& error) {
  std::string text = "! " + std::string(sqlstate_of(error)) + " " + error.message();
  if (const std::string* detail = error.find_note(sql_field::kDetail)) text += " | " + *detail;
  return text;
}

struct ExecutorWorld {
  MemEngine engine;
  UnlimitedBudget unlimited;
  Budget* budget = &unlimited;
  txn::LockingTxnManager txns{engine};
  std::unique_ptr<SqlRegistry> registry = packs_registry();
  catalog::PgCatalog pg_catalog{*registry};
  catalog::StoredCatalog catalog{engine, txns, *registry, pg_catalog.relations()};
  executor::PlanExecutor executor{engine, txns, catalog};
  FixedCalls calls;
  Meter meter;
  NamespaceId ns;
  std::vector<OperatorStats> stats;  // of the last run
  std::uint64_t affected = 0;

  void start() {
    REQUIRE(catalog.start());
    ns = catalog.database("coppice").value().ns;
  }

  // --- transactions and tables
  std::unique_ptr<Transaction> begin(Isolation isolation = Isolation::kReadCommitted) {
    auto txn = txns.begin({.isolation = isolation}, unlimited);
    REQUIRE(txn->begin_statement());
    return txn;
  }
  TableInfoRef find(const std::string& name) {
    const auto txn = begin();
    return catalog.view(*txn, ns).value()->find_table(kPublicOid, name);
  }
  TableInfoRef create(const std::string& name, std::vector<NewColumn> columns,
                      std::vector<NewIndex> indexes = {}) {
    const auto txn = begin();
    const auto made = catalog.create_table(*txn, ns,
                                           {.schema = kPublicOid,
                                            .name = name,
                                            .columns = std::move(columns),
                                            .indexes = std::move(indexes)});
    REQUIRE_MESSAGE(made, (made ? std::string() : made.error().to_string()));
    REQUIRE(txn->commit());
    return find(name);
  }

  // --- running
  ExecuteContext context(Transaction& txn, std::span<const Value> parameters = {}) {
    return {.txn = &txn,
            .catalog = catalog.view(txn, ns).value(),
            .calls = &calls,
            .meter = &meter,
            .budget = budget,
            .parameters = parameters};
  }
  std::string cell(const Vector& values, std::uint32_t row, TypeOid type) {
    FormattedColumn text;
    const Vector one = Vector::constant(values.datum_at(row), 1);
    REQUIRE(registry->find_type(type)->format(WireForm::kText, one, Selection::all(1), calls.values,
                                              text));
    return text.ends[0] < 0 ? "-" : std::string(as_text(text.bytes));
  }
  // "1,a;2,b" or "! 23505 message | detail"
  std::string run_in(Transaction& txn, PlanNodeRef root, std::span<const Value> parameters = {}) {
    auto plan = std::make_shared<QueryPlan>();
    plan->root = root;
    const ExecuteContext execute = context(txn, parameters);
    auto query = executor.open(plan, execute);
    if (!query) return said(query.error());
    std::string text;
    RowBatch batch;
    for (;;) {
      const auto more = (*query)->next(batch);
      if (!more) return said(more.error());
      if (!*more) break;
      REQUIRE(batch.selection.count() != 0);
      REQUIRE(batch.columns.size() == root->types.size());
      batch.selection.for_each([&](std::uint32_t row) {
        if (!text.empty()) text += ';';
        for (std::size_t i = 0; i < batch.columns.size(); ++i) {
          if (i != 0) text += ',';
          REQUIRE(batch.columns[i].size() == batch.rows);
          text += cell(batch.columns[i], row, root->types[i]);
        }
      });
    }
    stats = (*query)->stats();
    affected = (*query)->rows_affected();
    return text;
  }
  // In a transaction of its own.
  std::string run(PlanNodeRef root, std::span<const Value> parameters = {}) {
    const auto txn = begin();
    std::string text = run_in(*txn, std::move(root), parameters);
    if (text.starts_with("!")) return text;
    txn->end_statement(true);
    if (const auto committed = txn->commit(); !committed) return said(committed.error());
    return text;
  }

  // --- expressions
  const SqlType& type(TypeOid oid) const { return *registry->find_type(oid); }
  ExpressionRef make(Expression::Kind kind, TypeOid oid) const {
    auto made = std::make_unique<Expression>();
    made->kind = kind;
    made->type = oid;
    made->physical = type(oid).info().physical;
    return made;
  }
  ExpressionRef constant(TypeOid oid, const std::string& text) {
    VectorBuffer buffer(type(oid).info().physical);
    REQUIRE(type(oid).parse(WireForm::kText, as_bytes(text), -1, calls.values, buffer));
    auto made = make(Expression::Kind::kConstant, oid);
    made->value = Value(buffer.view().datum_at(0));
    return made;
  }
  ExpressionRef int4(int value) { return constant(type_oid::kInt4, std::to_string(value)); }
  ExpressionRef int8(std::int64_t value) {
    return constant(type_oid::kInt8, std::to_string(value));
  }
  ExpressionRef text(const std::string& value) { return constant(type_oid::kText, value); }
  ExpressionRef null(TypeOid oid) {
    auto made = make(Expression::Kind::kConstant, oid);
    made->value.null = true;
    return made;
  }
  ExpressionRef column(std::uint32_t ordinal, TypeOid oid = type_oid::kInt4) const {
    auto made = make(Expression::Kind::kColumn, oid);
    made->ordinal = ordinal;
    return made;
  }
  ExpressionRef parameter(std::uint32_t ordinal, TypeOid oid = type_oid::kInt4) const {
    auto made = make(Expression::Kind::kParameter, oid);
    made->ordinal = ordinal;
    return made;
  }
  ExpressionRef op(const std::string& name, ExpressionRef a, ExpressionRef b) const {
    for (const SqlOperator* const each : registry->operators(name)) {
      if (each->left != a->type || each->right != b->type) continue;
      auto made = make(Expression::Kind::kCall, each->result);
      made->function = each->function;
      made->arguments.push_back(std::move(a));
      made->arguments.push_back(std::move(b));
      return made;
    }
    FAIL("no operator " << name);
    return nullptr;
  }
  template <class... Rest>
  ExpressionRef of(Expression::Kind kind, TypeOid oid, Rest... arguments) const {
    auto made = make(kind, oid);
    (made->arguments.push_back(std::move(arguments)), ...);
    return made;
  }
  template <class... Rest>
  ExpressionRef all_of(Rest... arguments) const {
    return of(Expression::Kind::kAnd, type_oid::kBool, std::move(arguments)...);
  }
  template <class... Rest>
  ExpressionRef any_of(Rest... arguments) const {
    return of(Expression::Kind::kOr, type_oid::kBool, std::move(arguments)...);
  }

  // --- plans
  static NodeRef node(PlanNode::Kind kind, std::vector<TypeOid> types = {}) {
    auto made = std::make_shared<PlanNode>();
    made->kind = kind;
    made->types = std::move(types);
    made->modifiers.assign(made->types.size(), -1);
    return made;
  }
  // Without values: one empty row.
  NodeRef values(std::vector<TypeOid> types = {}, std::vector<std::vector<int>> rows = {{}}) {
    NodeRef made = node(PlanNode::Kind::kValues, std::move(types));
    for (const std::vector<int>& row : rows) {
      std::vector<ExpressionRef>& to = made->rows.emplace_back();
      for (std::size_t i = 0; i < row.size(); ++i)
        to.push_back(constant(made->types[i], std::to_string(row[i])));
    }
    return made;
  }
  NodeRef scan(const TableInfoRef& table, std::vector<std::int16_t> columns, bool with_egid = false,
               ExpressionRef filter = nullptr) const {
    NodeRef made = node(PlanNode::Kind::kScan);
    read_columns(*made, table, std::move(columns), with_egid);
    made->filter = std::move(filter);
    return made;
  }
  static void read_columns(PlanNode& to, const TableInfoRef& table,
                           std::vector<std::int16_t> columns, bool with_egid) {
    to.table = table;
    for (const std::int16_t attribute : columns)
      to.types.push_back(table->find_column(attribute)->type);
    if (with_egid) to.types.push_back(type_oid::kInt8);
    to.columns = std::move(columns);
    to.with_egid = with_egid;
  }
  NodeRef filter(NodeRef input, ExpressionRef condition) const {
    NodeRef made = node(PlanNode::Kind::kFilter, input->types);
    made->filter = std::move(condition);
    made->inputs.push_back(std::move(input));
    return made;
  }
  template <class... Rest>
  NodeRef project(NodeRef input, Rest... expressions) const {
    NodeRef made = node(PlanNode::Kind::kProject);
    (made->projections.push_back(std::move(expressions)), ...);
    for (const ExpressionRef& each : made->projections) made->types.push_back(each->type);
    made->inputs.push_back(std::move(input));
    return made;
  }
  // SELECT expressions, without FROM.
  template <class... Rest>
  std::string select(Rest... expressions) {
    return run(project(values(), std::move(expressions)...));
  }
  NodeRef limit(NodeRef input, ExpressionRef count, ExpressionRef skip = nullptr) const {
    NodeRef made = node(PlanNode::Kind::kLimit, input->types);
    made->limit = std::move(count);
    made->offset = std::move(skip);
    made->inputs.push_back(std::move(input));
    return made;
  }
  // All columns from the input's first ones, in order.
  NodeRef insert(const TableInfoRef& table, NodeRef input) const {
    NodeRef made = node(PlanNode::Kind::kInsert);
    made->table = table;
    for (const ColumnInfo& each : table->columns) {
      made->projections.push_back(
          column(static_cast<std::uint32_t>(made->columns.size()), each.type));
      made->columns.push_back(each.attribute);
    }
    made->inputs.push_back(std::move(input));
    return made;
  }
  // UPDATE t SET assigned = value WHERE filter; expressions see all columns, then the egid.
  NodeRef update(const TableInfoRef& table, std::int16_t assigned, ExpressionRef value,
                 ExpressionRef where = nullptr) const {
    NodeRef made = change(PlanNode::Kind::kUpdate, table, std::move(where));
    made->assigned.push_back(assigned);
    made->projections.push_back(std::move(value));
    return made;
  }
  NodeRef erase(const TableInfoRef& table, ExpressionRef where = nullptr) const {
    return change(PlanNode::Kind::kDelete, table, std::move(where));
  }
  NodeRef change(PlanNode::Kind kind, const TableInfoRef& table, ExpressionRef where) const {
    NodeRef made = node(kind);
    made->table = table;
    for (const ColumnInfo& each : table->columns) made->columns.push_back(each.attribute);
    made->inputs.push_back(scan(table, made->columns, true, std::move(where)));
    return made;
  }
  // Every column of the changed rows.
  NodeRef returning(NodeRef changed) const {
    changed->has_returning = true;
    for (std::size_t i = 0; i < changed->columns.size(); ++i) {
      const TypeOid oid = changed->table->find_column(changed->columns[i])->type;
      changed->returning.push_back(column(static_cast<std::uint32_t>(i), oid));
      changed->types.push_back(oid);
    }
    return changed;
  }
};

inline NewColumn column(std::string name, TypeOid type = type_oid::kInt4, bool not_null = false) {
  return {.name = std::move(name),
          .type = type,
          .modifier = -1,
          .not_null = not_null,
          .default_sql = {}};
}

inline NewIndex index_on(std::vector<std::string> columns, bool unique = false) {
  NewIndex index;
  for (std::string& name : columns)
    index.columns.emplace_back(std::move(name), KeyOrder::ascending_nulls_last());
  index.unique = unique;
  return index;
}

inline NewIndex primary_key(std::vector<std::string> columns) {
  NewIndex index = index_on(std::move(columns), true);
  index.primary = index.constraint = true;
  return index;
}

template <class Body>
void in_world(Body body, std::uint64_t seed = 1) {
  fiber::SimRuntime runtime(seed);
  const Status ended = runtime.run([&] {
    ExecutorWorld world;
    world.start();
    body(world);
  });
  REQUIRE_MESSAGE(ended.has_value(), (ended ? "" : ended.error().to_string()));
}

}  // namespace coppice::testing
