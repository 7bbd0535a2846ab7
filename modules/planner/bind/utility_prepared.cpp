// utility_prepared.cpp — EXPLAIN, PREPARE, EXECUTE.
#include <utility>

#include "modules/planner/bind/options.h"
#include "modules/planner/bind/source_text.h"
#include "modules/planner/bind/type_names.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

constexpr std::string_view kInvalidParameter = "22023";

Status read_format(const BindContext& context, const ast::Option& option) {
  const std::string format = COPPICE_TRY(option_text(context, option));
  if (format == "text") return {};
  if (format == "json" || format == "xml" || format == "yaml")
    return context.unsupported(option.location, "EXPLAIN format " + quoted(format));
  return context.error(option.location, kInvalidParameter,
                       "unrecognized value for EXPLAIN option \"format\": " + quoted(format));
}

struct ExplainOptions {
  std::optional<bool> timing, wal;
};

Status read_option(const BindContext& context, const ast::Option& option, ExplainStatement& to,
                   ExplainOptions& more) {
  if (option.name == "format") return read_format(context, option);
  bool ignored = false;  // BUFFERS, SETTINGS, SUMMARY: nothing to show
  bool* target = nullptr;
  if (option.name == "analyze") target = &to.analyze;
  if (option.name == "verbose") target = &to.verbose;
  if (option.name == "costs") target = &to.costs;
  if (option.name == "timing") target = &to.timing;
  if (option.name == "meter") target = &to.meter;
  if (option.name == "buffers" || option.name == "settings" || option.name == "summary" ||
      option.name == "wal")
    target = &ignored;
  if (target == nullptr)
    return context.error(option.location, sqlstate::kSyntaxError,
                         "unrecognized EXPLAIN option " + quoted(option.name));
  *target = COPPICE_TRY(option_boolean(context, option));
  if (option.name == "timing") more.timing = to.timing;
  if (option.name == "wal") more.wal = ignored;
  return {};
}

}  // namespace

Result<Statement> bind_explain(BindContext& context, const ast::Explain& tree,
                               std::string_view own_text) {
  ExplainStatement explain;
  ExplainOptions more;
  for (const ast::Option& option : tree.options)
    COPPICE_TRY(read_option(context, option, explain, more));
  const auto needs_analyze = [&](std::string_view option) {
    return context.error(ast::kNoLocation, kInvalidParameter,
                         "EXPLAIN option " + std::string(option) + " requires ANALYZE");
  };
  if (more.wal.value_or(false) && !explain.analyze) return needs_analyze("WAL");
  if (more.timing.value_or(false) && !explain.analyze) return needs_analyze("TIMING");
  if (explain.meter && !explain.analyze) return needs_analyze("METER");
  switch (tree.query->kind) {
    case ast::StatementKind::kSelect:
    case ast::StatementKind::kInsert:
    case ast::StatementKind::kUpdate:
    case ast::StatementKind::kDelete:
    case ast::StatementKind::kMerge:
    case ast::StatementKind::kExecute:
      break;
    default:
      return context.unsupported(ast::kNoLocation, "EXPLAIN of this kind of statement");
  }
  Statement inner = COPPICE_TRY(bind_statement(context, *tree.query, own_text));
  explain.statement = std::make_shared<const Statement>(std::move(inner));
  return Statement{std::move(explain)};
}

Result<Statement> bind_prepare(BindContext& context, const ast::Prepare& tree,
                               std::string_view own_text) {
  PrepareStatement prepare;
  prepare.name = tree.name;
  for (const ast::TypeName* const name : tree.types) {
    const ResolvedType type = COPPICE_TRY(resolve_type(context, *name));
    prepare.parameter_types.push_back(type.oid);
  }
  prepare.text = text_after_as(own_text);
  return Statement{std::move(prepare)};
}

Result<Statement> bind_execute(BindContext& context, const ast::Execute& tree) {
  ExecuteStatement execute;
  execute.name = tree.name;
  for (const ast::Expr* const argument : tree.arguments) {
    ExpressionRef value = COPPICE_TRY(bind_constant_expression(context, *argument));
    execute.arguments.push_back(std::move(value));
  }
  return Statement{std::move(execute)};
}

}  // namespace coppice::planner
