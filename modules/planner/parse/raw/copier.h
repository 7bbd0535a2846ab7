// copier.h — copies a raw parse tree into our own, without recursion.
//
// Role:     one visitor per raw node. A visitor makes our node, copies what is flat, and puts every
//           child that is a tree of its own on a work list; so the stack stays flat whatever the
//           text, and depth is a number to compare with ast::kDepthMax.
// Owns:     the work list. Results live in the arena.
// Threads:  one. Runs between coppice_raw_parse_begin and _end.
// Errors:   kUnsupported (0A000) at the first node or field that has no place in our tree: nothing
//           is dropped silently. kLimitExceeded (54001), kOutOfMemory (53200).
// Holds:    every field of every raw struct is copied, or checked to be absent, or one that the
//           raw parser never sets (then the visitor says so).
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "modules/planner/parse/parser.h"
#include "modules/planner/parse/raw/raw_tree.h"

namespace coppice::planner::raw {

class Copier {
 public:
  Copier(std::string_view sql, Arena& arena, std::size_t budget_bytes)
      : sql_(sql), arena_(arena), budget_(budget_bytes) {}

  Result<const ast::Statement*> copy(const ::Node* statement);

  // Raw nodes visited so far, the values inside of A_Const included: the tests compare it with the
  // number of nodes in the library's own output.
  std::size_t nodes_visited() const { return visited_; }

 private:
  enum class Slot : std::uint8_t { kExpr, kFromItem, kStatement, kSelect, kFunctionCall };
  struct Item {
    const ::Node* from;
    const void** to;
    Slot slot;
    int depth;
  };

  // --- the work list (copier.cpp)
  void visit_item(const Item& item);
  void later(Slot slot, const void* from, const void** to);
  void expr(const void* from, const ast::Expr*& to) { later(Slot::kExpr, from, erase(to)); }
  void select(const void* from, const ast::Select*& to);
  void statement(const void* from, const ast::Statement*& to) {
    later(Slot::kStatement, from, erase(to));
  }
  void from_item(const void* from, const ast::FromItem*& to) {
    later(Slot::kFromItem, from, erase(to));
  }
  template <class T>
  static const void** erase(const T*& slot) {
    return reinterpret_cast<const void**>(&slot);
  }

  // --- failing (copier.cpp)
  void refuse(std::string_view feature, int location = -1);
  void fail_with(Error error);
  // Refuses unless the raw field is absent: null, empty, false or zero.
  template <class T>
  void absent(const T& field, std::string_view feature, int location = -1) {
    if (field) refuse(feature, location);
  }

  // --- flat parts (copier.cpp)
  template <class T>
  const T* enter(const void* node) {
    ++visited_;
    return static_cast<const T*>(node);
  }
  template <class To, class From, class Visit>
  ast::List<To> list(const ::List* from, Visit visit);
  ast::Name name(const char* text) { return text != nullptr ? arena_.copy(text) : ast::Name(); }
  ast::Name string(const void* node, std::string_view where);
  ast::Names names(const ::List* from);
  ast::Names any_name(const void* list);  // a List that is itself an item of a list
  ast::List<const ast::Expr*> exprs(const ::List* from);
  const ast::TypeName* type_name(const void* from);
  ast::List<const ast::TypeName*> type_names(const ::List* from);
  const ast::Alias* alias(const ::Alias* from);
  const ast::RelationName* relation(const ::RangeVar* from);
  ast::List<const ast::RelationName*> relations(const ::List* from);
  ast::List<ast::SortItem> sort_items(const ::List* from);
  ast::List<ast::Target> targets(const ::List* from);
  ast::List<ast::Step> steps(const ::List* from);
  const ast::RoleName* role(const ::RoleSpec* from);
  ast::List<ast::RoleName> roles(const ::List* from);
  ast::List<ast::Option> options(const ::List* from);
  ast::Option option(const ::DefElem& from);
  void option_value(const ::Node* from, ast::Option& to);
  void option_list(const ::List* from, ast::Option& to);

  // --- expressions (copy_expression.cpp): each returns the new node, null when refused
  const ast::Expr* visit_expr(const ::Node* from);
  const ast::Expr* constant(const ::A_Const& from);
  const ast::Expr* column_ref(const ::ColumnRef& from);
  const ast::Expr* operator_expr(const ::A_Expr& from);
  const ast::Expr* between(const ::A_Expr& from);
  const ast::Expr* logical(const ::BoolExpr& from);
  const ast::FunctionCall* function_call(const ::FuncCall& from);
  const ast::Expr* indirection(const ::A_Indirection& from);
  const ast::Expr* case_expr(const ::CaseExpr& from);
  const ast::Expr* min_max(const ::MinMaxExpr& from);
  const ast::Expr* row(const ::RowExpr& from);
  const ast::Expr* sublink(const ::SubLink& from);
  const ast::Expr* sql_value(const ::SQLValueFunction& from);
  const ast::Expr* boolean_test(const ::BooleanTest& from);
  const ast::Expr* multi_assign(const ::MultiAssignRef& from);
  const ast::Expr* grouping_set(const ::GroupingSet& from);

  // --- queries (copy_query.cpp)
  const ast::Select* visit_select(const ::SelectStmt& from);
  const ast::Statement* insert(const ::InsertStmt& from);
  const ast::Statement* update(const ::UpdateStmt& from);
  const ast::Statement* delete_from(const ::DeleteStmt& from);
  const ast::Statement* merge(const ::MergeStmt& from);
  void merge_when(const ::MergeWhenClause& from, ast::MergeWhen& to);
  const ast::With* with(const ::WithClause* from);
  void common_table(const ::CommonTableExpr& from, ast::CommonTable& to);
  void window(const ::WindowDef& from, ast::Window& to);
  const ast::IntoTable* into(const ::IntoClause* from);
  ast::List<ast::RowLocking> locking(const ::List* from);
  const ast::OnConflict* on_conflict(const ::OnConflictClause* from);
  ast::List<ast::IndexElement> index_elements(const ::List* from);
  const ast::FromItem* visit_from_item(const ::Node* from);
  const ast::FromItem* from_subquery(const ::RangeSubselect& from);
  const ast::FromItem* from_function(const ::RangeFunction& from);
  const ast::FromItem* from_join(const ::JoinExpr& from);
  const ast::FromItem* from_sample(const ::RangeTableSample& from);

  // --- DDL (copy_table.cpp, copy_ddl.cpp): null, without an error, when the tag is not theirs
  const ast::Statement* visit_statement(const ::Node* from);
  const ast::Statement* visit_query(const ::Node* from);
  const ast::Statement* visit_table_ddl(const ::Node* from);
  const ast::Statement* create_table(const ::CreateStmt& from);
  const ast::Statement* create_table_as(const ::CreateTableAsStmt& from);
  const ast::Statement* alter_table(const ::AlterTableStmt& from);
  void alter_action(const ::AlterTableCmd& from, ast::AlterAction& to);
  bool alter_action_def(const ::AlterTableCmd& from, ast::AlterAction& to);
  const ast::Statement* create_index(const ::IndexStmt& from);
  const ast::ColumnDefinition* column(const ::ColumnDef* from, const ast::Expr** using_value);
  ast::List<const ast::ColumnDefinition*> columns(const ::List* from);
  ast::List<ast::Constraint> constraints(const ::List* from);
  void constraint(const ::Constraint& from, ast::Constraint& to);
  const ast::PartitionBound* partition_bound(const ::PartitionBoundSpec* from);
  const ast::PartitionBy* partition_by(const ::PartitionSpec* from);
  ast::List<const ast::Expr*> bound_values(const ::List* from);

  const ast::Statement* visit_ddl(const ::Node* from);
  ast::ObjectKind object_kind(::ObjectType from);
  ast::ObjectName object_name(const ::Node* from, ast::ObjectKind kind);
  ast::ObjectName object_with_args(const ::ObjectWithArgs& from);
  ast::ObjectName object_list(const ::List& from);
  const ast::Statement* create_schema(const ::CreateSchemaStmt& from);
  const ast::Statement* create_view(const ::ViewStmt& from);
  const ast::Statement* create_sequence(const ::CreateSeqStmt& from);
  const ast::Statement* alter_sequence(const ::AlterSeqStmt& from);
  const ast::Statement* create_domain(const ::CreateDomainStmt& from);
  const ast::Statement* alter_enum(const ::AlterEnumStmt& from);
  const ast::Statement* drop(const ::DropStmt& from);
  const ast::Statement* rename(const ::RenameStmt& from);
  const ast::Statement* alter_owner(const ::AlterOwnerStmt& from);
  const ast::Statement* alter_schema(const ::AlterObjectSchemaStmt& from);
  const ast::Statement* comment(const ::CommentStmt& from);
  const ast::Statement* create_role(const ::CreateRoleStmt& from);
  const ast::Statement* alter_role(const ::AlterRoleStmt& from);
  const ast::Statement* alter_role_set(const ::AlterRoleSetStmt& from);
  ast::Grant* grant(const ::GrantStmt& from);
  const ast::Statement* alter_default_privileges(const ::AlterDefaultPrivilegesStmt& from);
  const ast::Statement* grant_role(const ::GrantRoleStmt& from);
  ast::List<ast::Privilege> privileges(const ::List* from);
  const ast::Statement* create_function(const ::CreateFunctionStmt& from);

  // --- utility statements (copy_utility.cpp)
  const ast::Statement* visit_utility(const ::Node* from);
  const ast::Statement* transaction(const ::TransactionStmt& from);
  const ast::Set* set(const ::VariableSetStmt* from);
  const ast::Statement* copy_statement(const ::CopyStmt& from);
  const ast::Statement* vacuum(const ::VacuumStmt& from);
  const ast::Statement* reindex(const ::ReindexStmt& from);
  const ast::Statement* declare_cursor(const ::DeclareCursorStmt& from);
  const ast::Statement* fetch(const ::FetchStmt& from);
  const ast::Statement* lock(const ::LockStmt& from);

  std::string_view sql_;
  Arena& arena_;
  std::size_t budget_;
  std::vector<Item> work_;
  std::optional<Error> error_;
  std::size_t visited_ = 0;
  int depth_ = 0;
};

template <class To, class From, class Visit>
ast::List<To> Copier::list(const ::List* from, Visit visit) {
  if (from == nullptr) return {};
  std::span<To> items = arena_.make_array<To>(static_cast<std::size_t>(from->length));
  if constexpr (!std::is_same_v<From, ::Node>) visited_ += items.size();  // else visit() counts
  for (std::size_t i = 0; i < items.size(); ++i)
    visit(*static_cast<const From*>(from->elements[i].ptr_value), items[i]);
  return items;
}

// The command name of a raw statement node, for messages: "CREATE TRIGGER".
std::string_view command_name(::NodeTag tag);

}  // namespace coppice::planner::raw
