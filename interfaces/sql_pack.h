// sql_pack.h — SQL types, functions, operators, casts and aggregates, as packs add them.
//
// Role:     a pack (plugins/sql/*) fills a SqlRegistry; binder and executor look things up there.
//           Logical types live here; the executor works on their physical types, in vectors.
//           Helpers to write packs with: sql_kernels.h, sql_rows.h.
// Owns:     the registry owns everything added and outlives all sessions; pointers into it are
//           stable.
// Threads:  a registry is filled once, then only read; types and kernels are used by all at once.
// Parks:    never. Kernels poll nothing: a batch is short.
// Errors:   as PostgreSQL raises them (22P02, 22003, 22012 …), by types/sql_error.h.
// Source:   names, OIDs and semantics are PostgreSQL 15's pg_type, pg_proc, pg_operator, pg_cast.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interfaces/types/key.h"
#include "interfaces/types/row_batch.h"
#include "interfaces/types/vector_buffer.h"
#include "kernel/base/random.h"
#include "kernel/base/result.h"
#include "kernel/base/time.h"

namespace coppice {

using TypeOid = std::uint32_t;
using FunctionOid = std::uint32_t;

// The OIDs that the binder itself must know; all others come from packs.
namespace type_oid {
inline constexpr TypeOid kBool = 16, kBytea = 17, kChar = 18, kName = 19, kInt8 = 20, kInt2 = 21,
                         kInt4 = 23, kText = 25, kOid = 26, kFloat4 = 700, kFloat8 = 701,
                         kUnknown = 705, kBpchar = 1042, kVarchar = 1043, kDate = 1082,
                         kTime = 1083, kTimestamp = 1114, kTimestamptz = 1184, kInterval = 1186,
                         kNumeric = 1700, kRegclass = 2205, kRegtype = 2206, kVoid = 2278,
                         kRecord = 2249, kAny = 2276, kAnyelement = 2283, kAnyarray = 2277,
                         kAnynonarray = 2776;
}  // namespace type_oid

class CallContext;

// The session's settings that types and functions depend on.
struct SqlSettings {
  std::string time_zone = "UTC";
  std::string date_style = "ISO, MDY";
  std::int32_t extra_float_digits = 1;
  bool bytea_escape = false;
  // The running statement's, for types whose text is a name (regclass). Null: they are numbers.
  CallContext* calls = nullptr;
};

// What a kernel may look at besides its arguments. Lives as long as one statement.
class CallContext {
 public:
  virtual ~CallContext() = default;
  virtual const SqlSettings& settings() const = 0;
  virtual WallTime transaction_start() const = 0;  // now()
  virtual WallTime statement_start() const = 0;
  virtual WallTime clock_now() const = 0;
  virtual Rng& random() = 0;
  // For functions about the session and the catalog (current_database(), pg_get_expr() …): the
  // answer to a named question, or nothing if this context cannot say.
  virtual std::optional<std::string> ask(std::string_view question,
                                         std::span<const Datum> arguments) = 0;
  // For polymorphic functions: what an array's elements are. Null if this context cannot say.
  virtual const class SqlRegistry* registry() const { return nullptr; }
};

// Values of one column, each in wire form, one after the other.
struct FormattedColumn {
  ByteBuffer bytes;
  std::vector<std::int64_t>
      ends;  // ends[i]: where the i-th selected row's value ends; -1 - end: it is NULL
  void clear() {
    bytes.clear();
    ends.clear();
  }
};

enum class WireForm : std::uint8_t { kText, kBinary };

// How two values of a type are known to be equal, for grouping, hashing and DISTINCT.
enum class Equality : std::uint8_t {
  kPhysical,  // equal bits
  kByKey,     // equal order-preserving keys: -0 = 0, 1.0 = 1.00, 'a ' = 'a' of char(n)
  kNone,      // json: no equality
};

class SqlType {
 public:
  struct Info {
    TypeOid oid = 0;
    std::string name;          // pg_type.typname, "int4"
    std::string display_name;  // format_type(), "integer"
    PhysicalType physical = PhysicalType::kInt64;
    std::int16_t size = -1;  // typlen
    char category = 'U';     // typcategory
    bool preferred = false;  // typispreferred
    TypeOid array = 0;       // typarray
    TypeOid element = 0;     // typelem; set: unpack() and pack() work
    Equality equality = Equality::kPhysical;
    bool ordered = true;  // has a btree operator class
  };
  virtual ~SqlType() = default;
  const Info& info() const { return info_; }

  // Appends one value to `out`. 22P02 and relatives, or 22P03 for binary. `modifier` is
  // pg_attribute.atttypmod and applied as an input function does (22001 for varchar(n) overflow of
  // non-blanks).
  virtual Status parse(WireForm form, ByteView value, std::int32_t modifier,
                       const SqlSettings& settings, VectorBuffer& out) const = 0;
  // All selected rows of `values`, in order.
  virtual Status format(WireForm form, const Vector& values, const Selection& rows,
                        const SqlSettings& settings, FormattedColumn& out) const = 0;
  // Appends the order-preserving key of values[row].
  virtual void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                         KeyWriter& out) const = 0;
  // "character varying(20)" for a modifier; the display name without one.
  virtual std::string describe(std::int32_t modifier) const;
  // The modifier for "(20)" or "(10,2)": 22023 as PostgreSQL.
  virtual Result<std::int32_t> modifier_of(std::span<const std::int64_t> arguments) const;
  // Arrays: appends the elements of one value to `out`, a buffer of the element's physical type.
  virtual Status unpack(ByteView array, VectorBuffer& out) const;
  // Arrays: appends one value that has all of `elements`.
  virtual Status pack(const Vector& elements, VectorBuffer& out) const;

 protected:
  explicit SqlType(Info info) : info_(std::move(info)) {}

 private:
  Info info_;
};

enum class Volatility : char { kImmutable = 'i', kStable = 's', kVolatile = 'v' };

// Appends `arguments[0].size()` results (or `size`, without arguments) to `out`; positions outside
// `rows` may hold anything, but must be appended. Strict functions get their NULLs handled by the
// caller: the kernel is not shown them as `rows`.
using ScalarKernel = Status (*)(CallContext& context, std::span<const Vector> arguments,
                                const Selection& rows, std::uint32_t size, VectorBuffer& out);

// Returns rows: called once per batch of output until it says false. `state` is its own.
class SetProducer {
 public:
  virtual ~SetProducer() = default;
  virtual Result<bool> next(std::span<VectorBuffer> out) = 0;  // at most kVectorRows rows
};
using SetKernel = Result<std::unique_ptr<SetProducer>> (*)(CallContext& context,
                                                           std::span<const Datum> arguments);

struct SqlFunction {
  FunctionOid oid = 0;
  std::string name;
  std::vector<TypeOid> arguments;
  bool variadic = false;  // the last argument repeats
  // Arguments declared "any", anynonarray or anyelement are given as text, put through the output
  // function of their type (kTextCast): concat(), format(), text || anynonarray.
  bool any_as_text = false;
  TypeOid result = 0;
  bool strict = true;
  Volatility volatility = Volatility::kImmutable;
  ScalarKernel kernel = nullptr;  // one of these two
  SetKernel set_kernel = nullptr;
};

// How an operator serves an index over its left operand.
enum class IndexStrategy : std::uint8_t {
  kNone,
  kLess,
  kLessEqual,
  kEqual,
  kGreaterEqual,
  kGreater,
  kPrefix /*LIKE*/
};

struct SqlOperator {
  std::uint32_t oid = 0;
  std::string name;
  TypeOid left = 0;  // 0: a prefix operator
  TypeOid right = 0;
  TypeOid result = 0;
  const SqlFunction* function = nullptr;
  std::string commutator, negator;  // names; empty if none
  IndexStrategy strategy = IndexStrategy::kNone;
};

enum class CastContext : char { kImplicit = 'i', kAssignment = 'a', kExplicit = 'e' };

struct SqlCast {
  TypeOid from = 0, to = 0;
  CastContext context = CastContext::kExplicit;
  const SqlFunction* function = nullptr;  // null: binary-coercible
};

// Aggregate states of many groups, fed batch by batch.
class AggregateState {
 public:
  virtual ~AggregateState() = default;
  virtual void resize(std::uint32_t groups) = 0;  // new groups are empty
  // Row r of `arguments` (r in `rows`) belongs to group `groups[r]`. NULL handling is the
  // aggregate's own.
  virtual Status update(std::span<const Vector> arguments, const Selection& rows,
                        std::span<const std::uint32_t> groups) = 0;
  virtual Status finish(std::uint32_t first, std::uint32_t count, VectorBuffer& out) = 0;
  virtual std::uint64_t memory_bytes() const = 0;
};
using AggregateFactory = std::unique_ptr<AggregateState> (*)(CallContext& context);

struct SqlAggregate {
  FunctionOid oid = 0;
  std::string name;
  std::vector<TypeOid> arguments;  // empty: count(*)
  TypeOid result = 0;
  AggregateFactory make = nullptr;
};

// Everything that the packs added. Look-ups are by PostgreSQL's names; overloads come in order of
// addition.
class SqlRegistry {
 public:
  SqlRegistry() = default;
  SqlRegistry(const SqlRegistry&) = delete;
  SqlRegistry& operator=(const SqlRegistry&) = delete;

  // A clash of OIDs is a programming error (assert).
  const SqlType* add(std::unique_ptr<SqlType> type);
  const SqlFunction* add(SqlFunction function);
  void add(SqlOperator op);
  void add(SqlCast cast);
  void add(SqlAggregate aggregate);
  void alias(std::string name,
             TypeOid type);  // "integer", "decimal": what the grammar does not map

  const SqlType* find_type(TypeOid oid) const;
  const SqlType* find_type(std::string_view name) const;
  std::span<const SqlFunction* const> functions(std::string_view name) const;
  const SqlFunction* find_function(FunctionOid oid) const;
  std::span<const SqlOperator* const> operators(std::string_view name) const;
  std::span<const SqlAggregate* const> aggregates(std::string_view name) const;
  const SqlCast* find_cast(TypeOid from, TypeOid to) const;

  // For pg_type, pg_proc, pg_operator, pg_cast; in order of addition.
  std::span<const SqlType* const> all_types() const { return type_list_; }
  std::span<const SqlFunction* const> all_functions() const { return function_list_; }
  std::span<const SqlOperator* const> all_operators() const { return operator_list_; }
  std::span<const SqlCast* const> all_casts() const { return cast_list_; }
  std::span<const SqlAggregate* const> all_aggregates() const { return aggregate_list_; }

 private:
  template <class T>
  using ByName = std::unordered_map<std::string, std::vector<const T*>>;

  std::vector<std::unique_ptr<SqlType>> types_;
  std::vector<std::unique_ptr<SqlFunction>> functions_;
  std::vector<std::unique_ptr<SqlOperator>> operators_;
  std::vector<std::unique_ptr<SqlCast>> casts_;
  std::vector<std::unique_ptr<SqlAggregate>> aggregates_;
  std::vector<const SqlType*> type_list_;
  std::vector<const SqlFunction*> function_list_;
  std::vector<const SqlOperator*> operator_list_;
  std::vector<const SqlCast*> cast_list_;
  std::vector<const SqlAggregate*> aggregate_list_;
  std::unordered_map<TypeOid, const SqlType*> type_by_oid_;
  std::unordered_map<std::string, const SqlType*> type_by_name_;
  std::unordered_map<FunctionOid, const SqlFunction*> function_by_oid_;
  std::unordered_map<std::uint64_t, const SqlCast*> cast_by_types_;
  ByName<SqlFunction> functions_by_name_;
  ByName<SqlOperator> operators_by_name_;
  ByName<SqlAggregate> aggregates_by_name_;
};

class SqlPack {
 public:
  static constexpr std::string_view kInterfaceName = "sql";
  virtual ~SqlPack() = default;
  virtual std::string_view name() const = 0;
  // Types of other packs may be referred to by OID; packs are asked in order of their config
  // sections, all first for types, then for the rest.
  virtual void add_types(SqlRegistry& registry) const = 0;
  virtual void add_functions(SqlRegistry& registry) const = 0;
};

}  // namespace coppice
