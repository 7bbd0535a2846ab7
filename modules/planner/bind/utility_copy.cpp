// utility_copy.cpp — COPY: where to, which columns, which options.
//
// Source:   PostgreSQL 15, copy.c (ProcessCopyOptions).
#include <algorithm>
#include <array>
#include <utility>

#include "modules/planner/bind/options.h"
#include "modules/planner/bind/relations.h"
#include "modules/planner/bind/utility.h"

namespace coppice::planner {

namespace {

constexpr std::string_view kInvalidParameter = "22023";
// Of CSV's options, and what messages call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCsvOptions = {{
    {"quote", "quote"},
    {"escape", "escape"},
    {"force_quote", "force quote"},
    {"force_not_null", "force not null"},
    {"force_null", "force null"},
}};

Status read_format(const BindContext& context, const ast::Option& option) {
  const std::string format = COPPICE_TRY(option_text(context, option));
  if (format == "text") return {};
  if (format == "csv" || format == "binary")
    return context.unsupported(option.location, "COPY format " + quoted(format));
  return context.error(option.location, kInvalidParameter,
                       "COPY format " + quoted(format) + " not recognized");
}

Status read_encoding(const BindContext& context, const ast::Option& option) {
  const std::string encoding = COPPICE_TRY(option_text(context, option));
  const std::string name = lower(encoding);
  if (name == "utf8" || name == "utf-8" || name == "unicode" || name == "sql_ascii") return {};
  return context.unsupported(option.location, "COPY encoding " + quoted(encoding));
}

Status read_header(const BindContext& context, const ast::Option& option, CopyStatement& to) {
  if (option.kind == ast::OptionValue::kText || option.kind == ast::OptionValue::kType) {
    const std::string text = COPPICE_TRY(option_text(context, option));
    if (lower(text) == "match") return context.unsupported(option.location, "HEADER MATCH");
  }
  const Result<bool> header = option_boolean(context, option);
  if (!header)
    return context.error(ast::kNoLocation, sqlstate::kSyntaxError,
                         "header requires a Boolean value or \"match\"");
  to.header = *header;
  return {};
}

Status read_option(const BindContext& context, const ast::Option& option, CopyStatement& to) {
  if (option.name == "format") return read_format(context, option);
  if (option.name == "encoding") return read_encoding(context, option);
  if (option.name == "header") return read_header(context, option, to);
  if (option.name == "delimiter") {
    to.delimiter = COPPICE_TRY(option_text(context, option));
    return {};
  }
  if (option.name == "null") {
    to.null_text = COPPICE_TRY(option_text(context, option));
    return {};
  }
  if (option.name == "freeze") {  // rows are written as they would be anyway
    COPPICE_TRY(option_boolean(context, option));
    return {};
  }
  for (const auto& [name, words] : kCsvOptions)
    if (option.name == name)
      return context.error(ast::kNoLocation, sqlstate::kFeatureNotSupported,
                           "COPY " + std::string(words) + " available only in CSV mode");
  return context.error(option.location, sqlstate::kSyntaxError,
                       "option " + quoted(option.name) + " not recognized");
}

Status check_texts(const BindContext& context, const CopyStatement& copy) {
  const auto error = [&](std::string_view state, std::string message) {
    return context.error(ast::kNoLocation, state, std::move(message));
  };
  const auto breaks_line = [](std::string_view text) {
    return text.find_first_of("\r\n") != std::string_view::npos;
  };
  if (copy.delimiter.size() != 1)
    return error(sqlstate::kFeatureNotSupported,
                 "COPY delimiter must be a single one-byte character");
  if (breaks_line(copy.delimiter))
    return error(kInvalidParameter, "COPY delimiter cannot be newline or carriage return");
  if (breaks_line(copy.null_text))
    return error(kInvalidParameter,
                 "COPY null representation cannot use newline or carriage return");
  constexpr std::string_view kTaken = "\\.abcdefghijklmnopqrstuvwxyz0123456789";
  if (kTaken.find(copy.delimiter) != std::string_view::npos)
    return error(kInvalidParameter, "COPY delimiter cannot be " + quoted(copy.delimiter));
  if (copy.null_text.find(copy.delimiter) != std::string::npos)
    return error(sqlstate::kFeatureNotSupported,
                 "COPY delimiter must not appear in the NULL specification");
  return {};
}

// PostgreSQL says this without a position.
Result<TableInfoRef> find_table(const BindContext& context, const ast::Copy& tree,
                                const QualifiedName& name) {
  TableInfoRef table = COPPICE_TRY(find_relation(context, *tree.table));
  if (table != nullptr) return table;
  return context.error(ast::kNoLocation, sqlstate::kUndefinedTable,
                       "relation " + quoted(full_name(name)) + " does not exist");
}

Status check_columns(const BindContext& context, const ast::Copy& tree, const TableInfoRef& table) {
  for (std::size_t i = 0; i < tree.columns.size(); ++i) {
    const ast::Name column = tree.columns[i];
    const ColumnInfo* const found = table->find_column(column);
    if (found == nullptr || found->dropped)
      return context.error(
          ast::kNoLocation, sqlstate::kUndefinedColumn,
          "column " + quoted(column) + " of relation " + quoted(table->name) + " does not exist");
    const auto before = tree.columns.first(i);
    if (std::ranges::find(before, column) != before.end())
      return context.error(ast::kNoLocation, "42701",
                           "column " + quoted(column) + " specified more than once");
  }
  return {};
}

}  // namespace

Result<Statement> bind_copy(BindContext& context, const ast::Copy& tree) {
  if (tree.program) return context.unsupported(ast::kNoLocation, "COPY to or from a program");
  if (!tree.client) return context.unsupported(ast::kNoLocation, "COPY to or from a file");
  if (tree.where != nullptr) return context.unsupported(tree.where->location, "COPY FROM … WHERE");
  CopyStatement copy;
  copy.from = tree.from;
  TableInfoRef table;
  if (tree.query == nullptr) {
    copy.table = COPPICE_TRY(qualified_name(context, *tree.table));
    table = COPPICE_TRY(find_table(context, tree, copy.table));
  }
  COPPICE_TRY(check_no_duplicates(context, tree.options));
  for (const ast::Option& option : tree.options) COPPICE_TRY(read_option(context, option, copy));
  COPPICE_TRY(check_texts(context, copy));
  if (tree.query != nullptr) {
    copy.query = COPPICE_TRY(bind_query(context, *tree.query));
    if (copy.query->output.empty())
      return context.error(ast::kNoLocation, sqlstate::kFeatureNotSupported,
                           "COPY query must have a RETURNING clause");
    return Statement{std::move(copy)};
  }
  COPPICE_TRY(check_columns(context, tree, table));
  copy.columns.assign(tree.columns.begin(), tree.columns.end());
  return Statement{std::move(copy)};
}

}  // namespace coppice::planner
