// ast_dump_expression.cpp — the fields of shared parts and expressions.
#include "modules/planner/parse/ast_dumper.h"

namespace coppice::planner {

void AstDumper::quote(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out_ += '\\';
    if (byte >= 0x20) {
      out_ += c;
      continue;
    }
    out_ += "\\x";
    out_ += kHex[byte >> 4];
    out_ += kHex[byte & 15];
  }
  out_ += '"';
}

void AstDumper::dump(const ast::Expr& from) {
  switch (from.kind) {
    case ast::ExprKind::kConstant:
      return object("Constant", from.location, [&] { fields(ast::as<ast::Constant>(from)); });
    case ast::ExprKind::kParameter:
      return object("Parameter", from.location, [&] { fields(ast::as<ast::Parameter>(from)); });
    case ast::ExprKind::kColumnRef:
      return object("ColumnRef", from.location, [&] { fields(ast::as<ast::ColumnRef>(from)); });
    case ast::ExprKind::kOperator:
      return object("Operator", from.location, [&] { fields(ast::as<ast::Operator>(from)); });
    case ast::ExprKind::kArrayComparison:
      return object("ArrayComparison", from.location,
                    [&] { fields(ast::as<ast::ArrayComparison>(from)); });
    case ast::ExprKind::kDistinctFrom:
      return object("DistinctFrom", from.location,
                    [&] { fields(ast::as<ast::DistinctFrom>(from)); });
    case ast::ExprKind::kNullIf:
      return object("NullIf", from.location, [&] { fields(ast::as<ast::NullIf>(from)); });
    case ast::ExprKind::kInList:
      return object("InList", from.location, [&] { fields(ast::as<ast::InList>(from)); });
    case ast::ExprKind::kLike:
      return object("Like", from.location, [&] { fields(ast::as<ast::Like>(from)); });
    case ast::ExprKind::kBetween:
      return object("Between", from.location, [&] { fields(ast::as<ast::Between>(from)); });
    case ast::ExprKind::kLogical:
      return object("Logical", from.location, [&] { fields(ast::as<ast::Logical>(from)); });
    case ast::ExprKind::kCast:
      return object("Cast", from.location, [&] { fields(ast::as<ast::Cast>(from)); });
    case ast::ExprKind::kCollate:
      return object("Collate", from.location, [&] { fields(ast::as<ast::Collate>(from)); });
    case ast::ExprKind::kFunctionCall:
      return object("FunctionCall", from.location,
                    [&] { fields(ast::as<ast::FunctionCall>(from)); });
    case ast::ExprKind::kNamedArgument:
      return object("NamedArgument", from.location,
                    [&] { fields(ast::as<ast::NamedArgument>(from)); });
    case ast::ExprKind::kIndirection:
      return object("Indirection", from.location, [&] { fields(ast::as<ast::Indirection>(from)); });
    case ast::ExprKind::kArray:
      return object("Array", from.location, [&] { fields(ast::as<ast::Array>(from)); });
    case ast::ExprKind::kRow:
      return object("Row", from.location, [&] { fields(ast::as<ast::Row>(from)); });
    case ast::ExprKind::kCase:
      return object("Case", from.location, [&] { fields(ast::as<ast::Case>(from)); });
    case ast::ExprKind::kCoalesce:
      return object("Coalesce", from.location, [&] { fields(ast::as<ast::Coalesce>(from)); });
    case ast::ExprKind::kMinMax:
      return object("MinMax", from.location, [&] { fields(ast::as<ast::MinMax>(from)); });
    case ast::ExprKind::kSubquery:
      return object("Subquery", from.location, [&] { fields(ast::as<ast::Subquery>(from)); });
    case ast::ExprKind::kSqlValue:
      return object("SqlValue", from.location, [&] { fields(ast::as<ast::SqlValue>(from)); });
    case ast::ExprKind::kNullTest:
      return object("NullTest", from.location, [&] { fields(ast::as<ast::NullTest>(from)); });
    case ast::ExprKind::kBooleanTest:
      return object("BooleanTest", from.location, [&] { fields(ast::as<ast::BooleanTest>(from)); });
    case ast::ExprKind::kDefault:
      return object("Default", from.location, [&] { fields(ast::as<ast::Default>(from)); });
    case ast::ExprKind::kCurrentOf:
      return object("CurrentOf", from.location, [&] { fields(ast::as<ast::CurrentOf>(from)); });
    case ast::ExprKind::kMultiAssign:
      return object("MultiAssign", from.location, [&] { fields(ast::as<ast::MultiAssign>(from)); });
    case ast::ExprKind::kGrouping:
      return object("Grouping", from.location, [&] { fields(ast::as<ast::Grouping>(from)); });
    case ast::ExprKind::kGroupingSet:
      return object("GroupingSet", from.location, [&] { fields(ast::as<ast::GroupingSet>(from)); });
  }
  unreachable();
}

void AstDumper::put(const ast::TypeName& from) {
  object("TypeName", from.location, [&] {
    field("names", from.names);
    field("modifiers", from.modifiers);
    field("array_bounds", from.array_bounds);
    field("setof", from.setof);
    field("percent_type", from.percent_type);
  });
}

void AstDumper::put(const ast::Alias& from) {
  object("Alias", ast::kNoLocation, [&] {
    field("name", from.name);
    field("columns", from.columns);
  });
}

void AstDumper::put(const ast::RelationName& from) {
  object("RelationName", from.location, [&] {
    field("database", from.database);
    field("schema", from.schema);
    field("name", from.name);
    field("only", from.only);
    field("persistence", from.persistence, ast::Persistence::kPermanent);
    field("alias", from.alias);
  });
}

void AstDumper::put(const ast::SortItem& from) {
  object("SortItem", from.location, [&] {
    field("value", from.value);
    field("direction", from.direction, ast::SortDirection::kDefault);
    field("nulls", from.nulls, ast::NullsOrder::kDefault);
    field("using_operator", from.using_operator);
  });
}

void AstDumper::put(const ast::RoleName& from) {
  object("RoleName", from.location, [&] {
    field("kind", from.kind, ast::RoleKind::kNamed);
    field("name", from.name);
  });
}

void AstDumper::put(const ast::Option& from) {
  object("Option", from.location, [&] {
    field("qualifier", from.qualifier);
    field("name", from.name);
    field("kind", from.kind, ast::OptionValue::kNone);
    field("integer", std::int64_t{from.integer});
    field("text", from.text);
    field("type", from.type);
    field("names", from.names);
    field("values", from.values);
    field("roles", from.roles);
    field("options", from.options);
    field("set", from.set);
  });
}

void AstDumper::fields(const ast::Constant& from) {
  field("type", from.type, ast::ConstantKind::kNull);
  field("integer", std::int64_t{from.integer});
  field("text", from.text);
}

void AstDumper::fields(const ast::Parameter& from) {
  field("number", std::int64_t{from.number});
}

void AstDumper::fields(const ast::ColumnRef& from) {
  field("names", from.names);
  field("star", from.star);
}

void AstDumper::fields(const ast::Operator& from) {
  field("name", from.name);
  field("left", from.left);
  field("right", from.right);
}

void AstDumper::fields(const ast::ArrayComparison& from) {
  field("name", from.name);
  field("all", from.all);
  field("left", from.left);
  field("array", from.array);
}

void AstDumper::fields(const ast::DistinctFrom& from) {
  field("negated", from.negated);
  field("left", from.left);
  field("right", from.right);
}

void AstDumper::fields(const ast::NullIf& from) {
  field("left", from.left);
  field("right", from.right);
}

void AstDumper::fields(const ast::InList& from) {
  field("negated", from.negated);
  field("value", from.value);
  field("items", from.items);
}

void AstDumper::fields(const ast::Like& from) {
  field("type", from.type, ast::LikeKind::kLike);
  field("negated", from.negated);
  field("value", from.value);
  field("pattern", from.pattern);
}

void AstDumper::fields(const ast::Between& from) {
  field("negated", from.negated);
  field("symmetric", from.symmetric);
  field("value", from.value);
  field("low", from.low);
  field("high", from.high);
}

void AstDumper::fields(const ast::Logical& from) {
  field("type", from.type, ast::LogicalKind::kAnd);
  field("items", from.items);
}

void AstDumper::fields(const ast::Cast& from) {
  field("value", from.value);
  field("type", from.type);
}

void AstDumper::fields(const ast::Collate& from) {
  field("value", from.value);
  field("collation", from.collation);
}

void AstDumper::fields(const ast::FunctionCall& from) {
  field("name", from.name);
  field("arguments", from.arguments);
  field("order_by", from.order_by);
  field("filter", from.filter);
  field("over", from.over);
  field("star", from.star);
  field("distinct", from.distinct);
  field("variadic", from.variadic);
  field("within_group", from.within_group);
  field("sql_syntax", from.sql_syntax);
}

void AstDumper::fields(const ast::NamedArgument& from) {
  field("name", from.name);
  field("value", from.value);
}

void AstDumper::put(const ast::Step& from) {
  object("Step", ast::kNoLocation, [&] {
    field("kind", from.kind, ast::StepKind::kField);
    field("field", from.field);
    field("lower", from.lower);
    field("upper", from.upper);
  });
}

void AstDumper::fields(const ast::Indirection& from) {
  field("value", from.value);
  field("steps", from.steps);
}

void AstDumper::fields(const ast::Array& from) {
  field("elements", from.elements);
}

void AstDumper::fields(const ast::Row& from) {
  field("items", from.items);
  field("keyword", from.keyword);
}

void AstDumper::put(const ast::When& from) {
  object("When", from.location, [&] {
    field("condition", from.condition);
    field("result", from.result);
  });
}

void AstDumper::fields(const ast::Case& from) {
  field("value", from.value);
  field("whens", from.whens);
  field("otherwise", from.otherwise);
}

void AstDumper::fields(const ast::Coalesce& from) {
  field("items", from.items);
}

void AstDumper::fields(const ast::MinMax& from) {
  field("greatest", from.greatest);
  field("items", from.items);
}

void AstDumper::fields(const ast::Subquery& from) {
  field("type", from.type, ast::SubqueryKind::kScalar);
  field("value", from.value);
  field("name", from.name);
  field("select", from.select);
}

void AstDumper::fields(const ast::SqlValue& from) {
  field("type", from.type, ast::SqlValueKind::kCurrentDate);
  field("precision", std::int64_t{from.precision}, -1);
}

void AstDumper::fields(const ast::NullTest& from) {
  field("negated", from.negated);
  field("value", from.value);
}

void AstDumper::fields(const ast::BooleanTest& from) {
  field("truth", from.truth, ast::TruthValue::kTrue);
  field("negated", from.negated);
  field("value", from.value);
}

void AstDumper::fields(const ast::Default&) {}

void AstDumper::fields(const ast::CurrentOf& from) {
  field("cursor", from.cursor);
}

void AstDumper::fields(const ast::MultiAssign& from) {
  field("source", from.source);
  field("column", std::int64_t{from.column});
  field("columns", std::int64_t{from.columns});
}

void AstDumper::fields(const ast::Grouping& from) {
  field("items", from.items);
}

void AstDumper::fields(const ast::GroupingSet& from) {
  field("type", from.type, ast::GroupingSetKind::kEmpty);
  field("items", from.items);
}

}  // namespace coppice::planner
