// self_test.cpp — the trees that the linked libpg_query must give.
#include <array>

#include "modules/planner/parse/ast_dump.h"
#include "modules/planner/parse/parser.h"

namespace coppice::planner {

namespace {

struct Sample {
  std::string_view text;
  std::string_view tree;
};

// Between them: every layout that most statements touch, and the renumbered LimitOption.
constexpr std::array kSamples = {
    Sample{R"(SELECT t.a, -5, f(DISTINCT b) FROM s.t AS x WHERE c = 'd' ORDER BY 1 DESC LIMIT 3)",
           R"(Select{targets=[Target{value=ColumnRef{names=["t", "a"] @7} @7}, Target{value=)"
           R"(Constant{type=Integer integer=-5 @12} @12}, Target{value=FunctionCall{name=["f)"
           R"("] arguments=[ColumnRef{names=["b"] @27}] distinct @16} @16}] from=[FromTable{)"
           R"(alias=Alias{name="x"} table=RelationName{schema="s" name="t" alias=Alias{name=)"
           R"("x"} @35} @35}] where=Operator{name=["="] left=ColumnRef{names=["c"] @50} righ)"
           R"(t=Constant{type=Text text="d" @54} @52} order_by=[SortItem{value=Constant{type)"
           R"(=Integer integer=1 @67} direction=Descending}] limit=Constant{type=Integer int)"
           R"(eger=3 @80}})"},
    Sample{R"(SELECT 1.5 FROM a LEFT JOIN b USING (id) ORDER BY 1 FETCH FIRST 2 ROWS WITH TIES)",
           R"(Select{targets=[Target{value=Constant{type=Numeric text="1.5" @7} @7}] from=[F)"
           R"(romJoin{type=Left left=FromTable{table=RelationName{name="a" @16} @16} right=F)"
           R"(romTable{table=RelationName{name="b" @28} @28} using_columns=["id"]}] order_by)"
           R"(=[SortItem{value=Constant{type=Integer integer=1 @50}}] limit=Constant{type=In)"
           R"(teger integer=2 @64} limit_with_ties})"},
    Sample{R"(SELECT 1 UNION ALL SELECT $1::int FOR UPDATE)",
           R"(Select{set_kind=Union set_all left=Select{targets=[Target{value=Constant{type=)"
           R"(Integer integer=1 @7} @7}]} right=Select{targets=[Target{value=Cast{value=Para)"
           R"(meter{number=1 @26} type=TypeName{names=["pg_catalog", "int4"] @30} @28} @26}])"
           R"(} locking=[RowLocking{}]})"},
    Sample{R"(WITH w AS (SELECT 1) INSERT INTO t (a) VALUES (1, NULL) )"
           R"(ON CONFLICT (a) DO NOTHING RETURNING *)",
           R"(Insert{with=With{tables=[CommonTable{name="w" query=Select{targets=[Target{val)"
           R"(ue=Constant{type=Integer integer=1 @18} @18}]} @5}] @0} table=RelationName{nam)"
           R"(e="t" @33} columns=[Target{name="a" @36}] source=Select{values=[[Constant{type)"
           R"(=Integer integer=1 @47}, Constant{@50}]]} on_conflict=OnConflict{elements=[Ind)"
           R"(exElement{column="a"}] @56} returning=[Target{value=ColumnRef{star @93} @93}]})"},
    Sample{R"(UPDATE ONLY t SET a = b + 1 WHERE c IN (1, 2))",
           R"(Update{table=RelationName{name="t" only @12} sets=[Target{name="a" value=Opera)"
           R"(tor{name=["+"] left=ColumnRef{names=["b"] @22} right=Constant{type=Integer int)"
           R"(eger=1 @26} @24} @18}] where=InList{value=ColumnRef{names=["c"] @34} items=[Co)"
           R"(nstant{type=Integer integer=1 @40}, Constant{type=Integer integer=2 @43}] @36})"
           R"(})"},
    Sample{R"(CREATE TABLE IF NOT EXISTS t (a int PRIMARY KEY, b text NOT NULL DEFAULT 'x'))",
           R"(CreateTable{table=RelationName{name="t" @27} if_not_exists columns=[ColumnDefi)"
           R"(nition{name="a" type=TypeName{names=["pg_catalog", "int4"] @32} constraints=[C)"
           R"(onstraint{kind=PrimaryKey @36}] @30}, ColumnDefinition{name="b" type=TypeName{)"
           R"(names=["text"] @51} constraints=[Constraint{kind=NotNull @56}, Constraint{kind)"
           R"(=Default value=Constant{type=Text text="x" @73} @65}] @49}]})"},
    Sample{R"(BEGIN ISOLATION LEVEL SERIALIZABLE)",
           R"(Transaction{options=[Option{name="transaction_isolation" kind=Expr values=[Con)"
           R"(stant{type=Text text="serializable" @22}] @6}]})"},
};

}  // namespace

Status parser_self_test() {
  for (const Sample& sample : kSamples) {
    const Result<ParsedText> parsed = parse(sample.text);
    const bool one = parsed.has_value() && parsed->statements.size() == 1;
    const std::string tree = one ? dump(*parsed->statements[0].tree) : std::string();
    if (tree == sample.tree) continue;
    return fail(Code::kInternal, "libpg_query's parse tree is not laid out as PostgreSQL 15's: `" +
                                     std::string(sample.text) + "` gave " + tree);
  }
  return {};
}

}  // namespace coppice::planner
