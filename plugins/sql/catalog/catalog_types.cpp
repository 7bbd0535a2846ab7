// catalog_types.cpp — types that hardly anything but pg_catalog uses.
#include "interfaces/sql_kernels.h"
#include "interfaces/sql_rows.h"
#include "interfaces/types/sql_error.h"
#include "plugins/sql/catalog/parts.h"

namespace coppice::sql_catalog {
namespace {

// Texts of the server's own making: shown, compared, and taken as they are.
class OpaqueType final : public SqlType {
 public:
  explicit OpaqueType(Info info) : SqlType(std::move(info)) {}

  Status parse(WireForm, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    if (info().category == 'Z')
      return std::unexpected(sql_error(sqlstate::kFeatureNotSupported,
                                       "cannot accept a value of type " + info().display_name));
    out.append_bytes(value);
    return {};
  }
  Status format(WireForm, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    format_rows(values, rows, out,
                [&](std::uint32_t row, ByteBuffer& bytes) { append(bytes, values.bytes_at(row)); });
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.bytes(values.bytes_at(row), order);
  }
};

// xid and cid: unsigned, without an order that SQL knows.
class CounterType final : public SqlType {
 public:
  explicit CounterType(Info info) : SqlType(std::move(info)) {}

  // PostgreSQL's xidin is strtoul: what begins with no number is 0.
  Status parse(WireForm form, ByteView value, std::int32_t, const SqlSettings&,
               VectorBuffer& out) const override {
    std::uint32_t number = 0;
    if (form == WireForm::kBinary) {
      COPPICE_TRY(check_binary_size(value, 4));
      number = load_be<std::uint32_t>(value.data());
    } else {
      const std::string_view text = trim_spaces(as_text(value));
      std::from_chars(text.data(), text.data() + text.size(), number);
    }
    *out.append_values<std::uint32_t>(1) = number;
    return {};
  }
  Status format(WireForm form, const Vector& values, const Selection& rows, const SqlSettings&,
                FormattedColumn& out) const override {
    format_rows(values, rows, out, [&](std::uint32_t row, ByteBuffer& bytes) {
      const auto number = static_cast<std::uint32_t>(values.int_at(row));
      if (form == WireForm::kBinary)
        append_be(bytes, number);
      else
        append_number(bytes, number);
    });
    return {};
  }
  void write_key(const Vector& values, std::uint32_t row, KeyOrder order,
                 KeyWriter& out) const override {
    if (values.is_null(row)) return out.null(order);
    out.int64(static_cast<std::uint32_t>(values.int_at(row)), order);
  }
};

struct TypeRow {
  TypeOid oid;
  std::string_view name;
  std::int16_t size;
  char category;
  TypeOid array;
};
constexpr TypeOid kXid = 28, kCid = 29, kTid = 27, kAclitem = 1033, kPgNodeTree = 194,
                  kPgLsn = 3220;
constexpr std::array kOpaque = {
    TypeRow{kTid, "tid", 6, 'U', 1010},
    TypeRow{kAclitem, "aclitem", 12, 'U', 1034},
    TypeRow{kPgNodeTree, "pg_node_tree", -1, 'Z', 0},
    TypeRow{kPgLsn, "pg_lsn", 8, 'U', 3221},
    TypeRow{3361, "pg_ndistinct", -1, 'Z', 0},
    TypeRow{3402, "pg_dependencies", -1, 'Z', 0},
    TypeRow{5017, "pg_mcv_list", -1, 'Z', 0},
    TypeRow{10028, "_pg_statistic", -1, 'Z', 0},
};
constexpr std::array kCounters = {
    TypeRow{kXid, "xid", 4, 'U', 1011},
    TypeRow{kCid, "cid", 4, 'U', 1012},
};

SqlType::Info info_of(const TypeRow& row, PhysicalType physical) {
  return {.oid = row.oid,
          .name = std::string(row.name),
          .display_name = std::string(row.name),
          .physical = physical,
          .size = row.size,
          .category = row.category,
          .array = row.array,
          .ordered = false};
}

}  // namespace

void add_catalog_types(SqlRegistry& registry) {
  for (const TypeRow& row : kOpaque)
    registry.add(std::make_unique<OpaqueType>(info_of(row, PhysicalType::kBytes)));
  for (const TypeRow& row : kCounters)
    registry.add(std::make_unique<CounterType>(info_of(row, PhysicalType::kInt32)));
}

}  // namespace coppice::sql_catalog
