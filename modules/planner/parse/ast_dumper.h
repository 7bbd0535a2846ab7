// ast_dumper.h — the writer behind ast_dump.h: names of enumerators, fields left out when default.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "modules/planner/parse/ast.h"

namespace coppice::planner {

namespace detail {

// "Left" for JoinKind::kLeft; empty when V names no enumerator.
template <auto V>
consteval std::string_view enumerator_name() {
  constexpr std::string_view pretty = __PRETTY_FUNCTION__;
  constexpr std::size_t from = pretty.find("V = ") + 4;
  constexpr std::size_t to = pretty.find_first_of(";]", from);
  constexpr std::string_view full = pretty.substr(from, to - from);
  constexpr std::size_t colon = full.rfind("::k");
  if (full.find('(') != std::string_view::npos || colon == std::string_view::npos) return {};
  return full.substr(colon + 3);
}

template <class E>
consteval auto enumerator_names() {
  constexpr std::size_t kCount = std::is_same_v<std::underlying_type_t<E>, char> ? 128 : 64;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, kCount>{enumerator_name<static_cast<E>(I)>()...};
  }(std::make_index_sequence<kCount>());
}
template <class E>
inline constexpr auto kEnumeratorNames = enumerator_names<E>();

}  // namespace detail

class AstDumper {
 public:
  std::string take() { return std::move(out_); }

  void dump(const ast::Expr& from);
  void dump(const ast::FromItem& from);
  void dump(const ast::Statement& from);

 private:
  template <class Body>
  void object(std::string_view name, ast::Location location, Body body) {
    out_ += name;
    out_ += '{';
    first_ = true;
    body();
    if (location != ast::kNoLocation) {
      separate();
      out_ += '@' + std::to_string(location);
    }
    out_ += '}';
    first_ = false;
  }
  void separate() {
    if (!first_) out_ += ' ';
    first_ = false;
  }
  void key(std::string_view name) {
    separate();
    out_ += name;
    out_ += '=';
  }

  // --- fields, left out at their defaults
  void field(std::string_view name, bool value) {
    if (!value) return;
    separate();
    out_ += name;
  }
  void field(std::string_view name, std::int64_t value, std::int64_t otherwise = 0) {
    if (value == otherwise) return;
    key(name);
    out_ += std::to_string(value);
  }
  void field(std::string_view name, ast::Name value) {
    if (value.empty()) return;
    key(name);
    quote(value);
  }
  template <class E>
    requires std::is_enum_v<E>
  void field(std::string_view name, E value, E otherwise = E{}) {
    if (value == otherwise) return;
    key(name);
    out_ += detail::kEnumeratorNames<E>[static_cast<std::size_t>(value)];
  }
  template <class T>
  void field(std::string_view name, const T* value) {
    if (value == nullptr) return;
    key(name);
    put(*value);
  }
  template <class T>
  void field(std::string_view name, ast::List<T> values) {
    if (values.empty()) return;
    key(name);
    put(values);
  }

  // --- values
  void quote(std::string_view text);
  void put(const ast::Expr& from) { dump(from); }
  void put(const ast::FromItem& from) { dump(from); }
  void put(const ast::Statement& from) { dump(from); }
  void put(const ast::Name& from) { quote(from); }
  void put(std::int32_t from) { out_ += std::to_string(from); }
  template <class T>
  void put(const T* const& from) {
    if (from == nullptr) {
      out_ += "null";
    } else {
      put(*from);
    }
  }
  template <class T>
  void put(const ast::List<T>& from) {
    out_ += '[';
    bool first = true;
    for (const T& item : from) {
      if (!first) out_ += ", ";
      first = false;
      put(item);
    }
    out_ += ']';
    first_ = false;
  }
  void put(const ast::TypeName& from);
  void put(const ast::Alias& from);
  void put(const ast::RelationName& from);
  void put(const ast::SortItem& from);
  void put(const ast::RoleName& from);
  void put(const ast::Option& from);
  void put(const ast::Step& from);
  void put(const ast::When& from);
  void put(const ast::RowsFrom& from);
  void put(const ast::Target& from);
  void put(const ast::Window& from);
  void put(const ast::RowLocking& from);
  void put(const ast::SearchClause& from);
  void put(const ast::CycleClause& from);
  void put(const ast::CommonTable& from);
  void put(const ast::With& from);
  void put(const ast::IntoTable& from);
  void put(const ast::IndexElement& from);
  void put(const ast::OnConflict& from);
  void put(const ast::MergeWhen& from);
  void put(const ast::Constraint& from);
  void put(const ast::ColumnDefinition& from);
  void put(const ast::TableLike& from);
  void put(const ast::PartitionKey& from);
  void put(const ast::PartitionBy& from);
  void put(const ast::PartitionBound& from);
  void put(const ast::AlterAction& from);
  void put(const ast::ObjectName& from);
  void put(const ast::Privilege& from);
  void put(const ast::FunctionParameter& from);
  void put(const ast::VacuumTable& from);

  // --- one per kind
  void fields(const ast::Constant& from);
  void fields(const ast::Parameter& from);
  void fields(const ast::ColumnRef& from);
  void fields(const ast::Operator& from);
  void fields(const ast::ArrayComparison& from);
  void fields(const ast::DistinctFrom& from);
  void fields(const ast::NullIf& from);
  void fields(const ast::InList& from);
  void fields(const ast::Like& from);
  void fields(const ast::Between& from);
  void fields(const ast::Logical& from);
  void fields(const ast::Cast& from);
  void fields(const ast::Collate& from);
  void fields(const ast::FunctionCall& from);
  void fields(const ast::NamedArgument& from);
  void fields(const ast::Indirection& from);
  void fields(const ast::Array& from);
  void fields(const ast::Row& from);
  void fields(const ast::Case& from);
  void fields(const ast::Coalesce& from);
  void fields(const ast::MinMax& from);
  void fields(const ast::Subquery& from);
  void fields(const ast::SqlValue& from);
  void fields(const ast::NullTest& from);
  void fields(const ast::BooleanTest& from);
  void fields(const ast::Default& from);
  void fields(const ast::CurrentOf& from);
  void fields(const ast::MultiAssign& from);
  void fields(const ast::Grouping& from);
  void fields(const ast::GroupingSet& from);
  void fields(const ast::FromTable& from);
  void fields(const ast::FromSubquery& from);
  void fields(const ast::FromFunction& from);
  void fields(const ast::FromJoin& from);
  void fields(const ast::FromSample& from);
  void fields(const ast::Select& from);
  void fields(const ast::Insert& from);
  void fields(const ast::Update& from);
  void fields(const ast::Delete& from);
  void fields(const ast::Merge& from);
  void fields(const ast::CreateTable& from);
  void fields(const ast::CreateTableAs& from);
  void fields(const ast::AlterTable& from);
  void fields(const ast::CreateIndex& from);
  void fields(const ast::CreateSchema& from);
  void fields(const ast::CreateDatabase& from);
  void fields(const ast::AlterDatabase& from);
  void fields(const ast::DropDatabase& from);
  void fields(const ast::CreateView& from);
  void fields(const ast::RefreshView& from);
  void fields(const ast::CreateSequence& from);
  void fields(const ast::AlterSequence& from);
  void fields(const ast::CreateEnum& from);
  void fields(const ast::AlterEnum& from);
  void fields(const ast::CreateDomain& from);
  void fields(const ast::Drop& from);
  void fields(const ast::Truncate& from);
  void fields(const ast::Rename& from);
  void fields(const ast::AlterOwner& from);
  void fields(const ast::AlterSchema& from);
  void fields(const ast::Comment& from);
  void fields(const ast::CreateRole& from);
  void fields(const ast::AlterRole& from);
  void fields(const ast::DropRole& from);
  void fields(const ast::Grant& from);
  void fields(const ast::GrantRole& from);
  void fields(const ast::CreateFunction& from);
  void fields(const ast::CreateExtension& from);
  void fields(const ast::Transaction& from);
  void fields(const ast::Set& from);
  void fields(const ast::Show& from);
  void fields(const ast::Copy& from);
  void fields(const ast::Explain& from);
  void fields(const ast::Prepare& from);
  void fields(const ast::Execute& from);
  void fields(const ast::Deallocate& from);
  void fields(const ast::Discard& from);
  void fields(const ast::Vacuum& from);
  void fields(const ast::Reindex& from);
  void fields(const ast::Checkpoint& from);
  void fields(const ast::Lock& from);
  void fields(const ast::DeclareCursor& from);
  void fields(const ast::Fetch& from);
  void fields(const ast::CloseCursor& from);
  void fields(const ast::Listen& from);
  void fields(const ast::Notify& from);
  void fields(const ast::Unlisten& from);
  void fields(const ast::SetConstraints& from);
  void fields(const ast::Do& from);
  void fields(const ast::Call& from);

  std::string out_;
  bool first_ = true;
};

}  // namespace coppice::planner
