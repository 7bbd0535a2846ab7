#include "modules/lsm/forest/commit_record.h"

#include "interfaces/types/bit_packing.h"
#include "interfaces/types/tuple.h"

namespace coppice::lsm {
namespace {

using DefinitionOp = ForestWriteSet::DefinitionOp;

constexpr std::uint8_t kColumnHasNulls = 1;
constexpr std::uint8_t kIndexAdd = 1;
constexpr std::uint8_t kIndexNeverCollides = 2;

}  // namespace

// --- encoding -----------------------------------------------------------------------------------

void CommitEncoder::definitions(std::span<const DefinitionOp> ops) {
  out_.u8(kCommitFormat);
  out_.varint(ops.size());
  for (const DefinitionOp& op : ops) {
    out_.u8(static_cast<std::uint8_t>(op.kind));
    write_table_ref(op.table, out_);
    if (op.kind == DefinitionOp::Kind::kDefine) write_definition(*op.definition, out_);
  }
}

void CommitEncoder::grants(std::span<const EgidGrant> grants) {
  out_.varint(grants.size());
  for (const EgidGrant& grant : grants) {
    write_table_ref(grant.table, out_);
    out_.varint(grant.count);
    places_.push_back(bytes_.size());
    out_.u64(grant.first);
  }
}

void CommitEncoder::row_section(TableRef table, std::uint32_t schema_version, std::uint32_t grant,
                                std::size_t inserts) {
  write_table_ref(table, out_);
  out_.varint(schema_version);
  out_.varint(grant);
  out_.varint(inserts);
}

void CommitEncoder::insert(std::uint64_t first, std::uint32_t rows, std::span<const Vector> columns,
                           std::uint32_t from_row) {
  out_.varint(first);
  out_.varint(rows);
  out_.varint(columns.size());
  for (const Vector& values : columns) column(values, from_row, rows);
}

void CommitEncoder::column(const Vector& values, std::uint32_t from_row, std::uint32_t rows) {
  out_.u8(static_cast<std::uint8_t>(values.type()));
  ByteBuffer nulls((rows + 7) / 8);
  bool has_nulls = false;
  for (std::uint32_t row = 0; values.has_nulls() && row < rows; ++row) {
    if (!values.is_null(from_row + row)) continue;
    nulls[row / 8] |= static_cast<std::byte>(1U << (row % 8));
    has_nulls = true;
  }
  out_.u8(has_nulls ? kColumnHasNulls : 0);
  if (has_nulls) out_.bytes(nulls);
  if (!is_bytes(values.type())) {
    const std::size_t width = fixed_bytes(values.type());
    if (values.encoding() == Encoding::kFlat) {
      out_.bytes({values.flat_values() + from_row * width, rows * width});
      return;
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      const Int128 bits = has_nulls && values.is_null(from_row + row)
                              ? Int128{0}
                              : values.datum_at(from_row + row).bits;
      out_.bytes({reinterpret_cast<const std::byte*>(&bits), width});
    }
    return;
  }
  std::vector<std::uint64_t> ends(rows + std::size_t{1});
  const auto bytes_at = [&](std::uint32_t row) {
    return has_nulls && values.is_null(from_row + row) ? ByteView()
                                                       : values.bytes_at(from_row + row);
  };
  for (std::uint32_t row = 0; row < rows; ++row) ends[row + 1] = ends[row] + bytes_at(row).size();
  const unsigned width = packed_width(ends.back());
  out_.u8(static_cast<std::uint8_t>(width));
  pack(ends, width, bytes_);
  out_.zeros(kBitPackingSlack);
  out_.varint(ends.back());
  for (std::uint32_t row = 0; row < rows; ++row) out_.bytes(bytes_at(row));
}

void CommitEncoder::row_name(RowName row) {
  out_.varint(row.number << 1 | (row.relative ? 1U : 0U));
}

Status CommitEncoder::change(RowName row, GroupMask mask, std::span<const Datum> values) {
  row_name(row);
  out_.varint(mask);
  if (mask == 0) return {};
  tuple_.clear();
  COPPICE_TRY(append_tuple(values, tuple_));
  out_.sized_bytes(tuple_);
  return {};
}

void CommitEncoder::index_section(TableRef table, std::uint32_t grant, std::size_t ops) {
  write_table_ref(table, out_);
  out_.varint(grant);
  out_.varint(ops);
}

void CommitEncoder::index_op(RowName row, bool add, bool never_collides, ByteView key) {
  row_name(row);
  out_.u8(static_cast<std::uint8_t>((add ? kIndexAdd : 0) |
                                    (never_collides ? kIndexNeverCollides : 0)));
  out_.sized_bytes(key);
}

// --- decoding -----------------------------------------------------------------------------------

namespace {

class CommitDecoder {
 public:
  explicit CommitDecoder(ByteView payload) : in_(payload) {}

  bool run(CommitRecord& to) {
    if (in_.u8() != kCommitFormat) return false;
    each(3, [&] { definition(to); });
    each(11, [&] { grant(to); });
    each(5, [&] { rows(to); });
    each(4, [&] { index(to); });
    return in_.done();
  }

 private:
  template <class Read>
  void each(std::size_t item_bytes, Read read) {
    const std::uint64_t count = in_.count(item_bytes);
    for (std::uint64_t i = 0; i < count && in_.ok(); ++i) read();
  }

  void definition(CommitRecord& to) {
    DefinitionOp op;
    const std::uint8_t kind = in_.u8();
    if (kind < 1 || kind > 5) return in_.fail();
    op.kind = static_cast<DefinitionOp::Kind>(kind);
    op.table = read_table_ref(in_);
    if (op.kind == DefinitionOp::Kind::kDefine) {
      auto made = read_definition(in_);
      if (!made || made->table != op.table) return in_.fail();
      op.definition = std::make_shared<const TableDefinition>(*std::move(made));
    }
    to.definitions.push_back(std::move(op));
  }

  void grant(CommitRecord& to) {
    EgidGrant grant;
    grant.table = read_table_ref(in_);
    grant.count = in_.varint();
    grant.first = in_.u64();
    if (grant.first >= kProvisionalBit || grant.count >= kProvisionalBit - grant.first)
      return in_.fail();
    to.grants.push_back(grant);
  }

  std::uint32_t grant_position(const CommitRecord& to) {
    const std::uint64_t position = in_.varint();
    if (position > to.grants.size()) in_.fail();
    return in_.ok() ? static_cast<std::uint32_t>(position) : 0;
  }

  RowName row_name(const CommitRecord& to, std::uint32_t grant) {
    const std::uint64_t coded = in_.varint();
    const RowName name{coded >> 1, (coded & 1) != 0};
    if (name.relative && (grant == 0 || name.number >= to.grants[grant - 1].count)) in_.fail();
    if (!name.relative && name.number >= kProvisionalBit) in_.fail();
    return name;
  }

  void rows(CommitRecord& to) {
    RowSection section;
    section.table = read_table_ref(in_);
    section.schema_version = static_cast<std::uint32_t>(in_.varint());
    section.grant = grant_position(to);
    each(3, [&] { insert(to, section); });
    each(2, [&] {
      RowSection::Change change;
      change.row = row_name(to, section.grant);
      change.mask = in_.varint();
      if (change.mask != 0) change.tuple = in_.sized_bytes();
      section.changes.push_back(change);
    });
    to.rows.push_back(std::move(section));
  }

  void insert(const CommitRecord& to, RowSection& section) {
    RowSection::Rows rows;
    rows.first = in_.varint();
    const std::uint64_t count = in_.varint();
    if (section.grant == 0 || count == 0 || count > kVectorRows) return in_.fail();
    const std::uint64_t granted = to.grants[section.grant - 1].count;
    if (rows.first > granted || count > granted - rows.first) return in_.fail();
    rows.rows = static_cast<std::uint32_t>(count);
    each(2, [&] { column(rows); });
    section.inserts.push_back(std::move(rows));
  }

  void column(RowSection::Rows& rows) {
    const std::uint8_t type_number = in_.u8();
    if (!is_physical_type(type_number)) return in_.fail();
    const auto type = static_cast<PhysicalType>(type_number);
    const bool has_nulls = (in_.u8() & kColumnHasNulls) != 0;
    const ByteView nulls = has_nulls ? in_.bytes((rows.rows + 7) / 8) : ByteView();
    Vector vector = is_bytes(type) ? offsets(rows.rows) : fixed(type, rows.rows);
    if (!in_.ok()) return;
    if (has_nulls) vector.set_nulls(nulls.data());
    rows.columns.push_back(std::move(vector));
  }

  Vector fixed(PhysicalType type, std::uint32_t rows) {
    const ByteView values = in_.bytes(rows * fixed_bytes(type));
    return in_.ok() ? Vector::flat(type, rows, values.data()) : Vector();
  }

  Vector offsets(std::uint32_t rows) {
    const unsigned width = in_.u8();
    if (!is_packable_width(width)) in_.fail();
    if (!in_.ok()) return {};
    const ByteView packed =
        in_.bytes(packed_bytes(rows + std::size_t{1}, width) + kBitPackingSlack);
    const ByteView heap = in_.sized_bytes();
    if (!in_.ok()) return {};
    std::uint64_t last = 0;
    for (std::uint32_t row = 0; row <= rows; ++row) {
      const std::uint64_t end = packed_at(packed.data(), width, row);
      if (end < last || end > heap.size()) in_.fail();
      last = end;
    }
    return in_.ok() ? Vector::offsets(rows, width, packed.data(), heap.data()) : Vector();
  }

  void index(CommitRecord& to) {
    IndexSection section;
    section.table = read_table_ref(in_);
    section.grant = grant_position(to);
    each(3, [&] {
      IndexSection::Op op;
      op.row = row_name(to, section.grant);
      const std::uint8_t flags = in_.u8();
      op.add = (flags & kIndexAdd) != 0;
      op.never_collides = (flags & kIndexNeverCollides) != 0;
      op.key = in_.sized_bytes();
      if (op.key.size() > kIndexKeyBytesMax) in_.fail();
      section.ops.push_back(op);
    });
    to.indexes.push_back(std::move(section));
  }

  ByteReader in_;
};

}  // namespace

Result<CommitRecord> decode_commit(ByteView payload) {
  CommitRecord record;
  if (!CommitDecoder(payload).run(record))
    return fail(Code::kCorruption, "a commit record is malformed");
  return record;
}

}  // namespace coppice::lsm
