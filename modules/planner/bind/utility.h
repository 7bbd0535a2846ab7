// utility.h — one function for each kind of statement that is no query.
//
// Role:     what bind_utility() sends trees to. Names are resolved where only the text and the
//           registry are needed; relations stay names, for the session to look up under its locks.
// Errors:   as PostgreSQL words them; 0A000 naming what is not supported.
#pragma once

#include "modules/planner/bind/bind.h"

namespace coppice::planner {

// utility_transaction.cpp
Result<Statement> bind_transaction(BindContext& context, const ast::Transaction& tree);
// utility_settings.cpp
Result<Statement> bind_set(BindContext& context, const ast::Set& tree);
Result<Statement> bind_show(BindContext& context, const ast::Show& tree);
// utility_copy.cpp
Result<Statement> bind_copy(BindContext& context, const ast::Copy& tree);
// utility_prepared.cpp
Result<Statement> bind_explain(BindContext& context, const ast::Explain& tree,
                               std::string_view own_text);
Result<Statement> bind_prepare(BindContext& context, const ast::Prepare& tree,
                               std::string_view own_text);
Result<Statement> bind_execute(BindContext& context, const ast::Execute& tree);
// utility_maintenance.cpp
Result<Statement> bind_lock(BindContext& context, const ast::Lock& tree);
Result<Statement> bind_vacuum(BindContext& context, const ast::Vacuum& tree);
Result<Statement> bind_discard(BindContext& context, const ast::Discard& tree);

// ddl_table.cpp
Result<Statement> bind_create_table(BindContext& context, const ast::CreateTable& tree);
// ddl_index.cpp
Result<Statement> bind_create_index(BindContext& context, const ast::CreateIndex& tree);
// ddl_drop.cpp
Result<Statement> bind_drop(BindContext& context, const ast::Drop& tree);
Result<Statement> bind_truncate(BindContext& context, const ast::Truncate& tree);
// ddl_database.cpp
Result<Statement> bind_create_schema(BindContext& context, const ast::CreateSchema& tree);
Result<Statement> bind_create_database(BindContext& context, const ast::CreateDatabase& tree);
Result<Statement> bind_drop_database(BindContext& context, const ast::DropDatabase& tree);

// A relation's name for the session. 0A000 for another database.
Result<QualifiedName> qualified_name(const BindContext& context, const ast::RelationName& name);
Result<std::vector<QualifiedName>> qualified_names(const BindContext& context,
                                                   ast::List<const ast::RelationName*> names);
std::string full_name(const QualifiedName& name);  // schema.name, for messages

// WITH (…) of a table or an index: settings of storage that mean nothing here are accepted, other
// names are 22023.
Status check_storage_options(const BindContext& context, ast::List<ast::Option> options);
// TABLESPACE: only pg_default is there. 42704.
Status check_tablespace(const BindContext& context, ast::Name tablespace);
// COLLATE: databases are in C; others 0A000.
Status check_collation(const BindContext& context, ast::Names collation, ast::Location at);

}  // namespace coppice::planner
