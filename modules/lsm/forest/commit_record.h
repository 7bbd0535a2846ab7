// commit_record.h — what one commit changes, as the payload of a log entry.
//
// Role:     written by the committer before its place in the log is known: new rows are numbered
//           from 0 within their table, and stamping only fills in where those numbers start.
// Format:   docs/formats/commit.md.
// Owns:     a CommitRecord views the payload.
// Errors:   decoding: kCorruption; never reads out of bounds, never allocates by a false count.
// Threads:  any.   Parks: never.
#pragma once

#include <span>
#include <vector>

#include "interfaces/storage_engine.h"
#include "modules/lsm/forest/write_set.h"

namespace coppice::lsm {

inline constexpr std::uint8_t kCommitFormat = 1;

// New egids of one table.
struct EgidGrant {
  TableRef table = {};
  std::uint64_t count = 0;
  Egid first = 0;  // 0 until stamped
};

// A row: an egid, or (relative) the number of a new row of the grant.
struct RowName {
  std::uint64_t number = 0;
  bool relative = false;
};

struct RowSection {
  struct Rows {  // new, with consecutive numbers from `first`
    std::uint64_t first = 0;
    std::uint32_t rows = 0;
    std::vector<Vector> columns;  // as in the schema
  };
  struct Change {
    RowName row;
    GroupMask mask = 0;  // 0: erased
    ByteView tuple;
  };
  TableRef table = {};
  std::uint32_t schema_version = 0;
  std::uint32_t grant = 0;  // position among the grants + 1; 0: none
  std::vector<Rows> inserts;
  std::vector<Change> changes;
};

struct IndexSection {
  struct Op {
    RowName row;
    bool add = true;
    bool never_collides = false;
    ByteView key;
  };
  TableRef table = {};
  std::uint32_t grant = 0;  // of the table whose rows it names
  std::vector<Op> ops;
};

struct CommitRecord {
  std::vector<ForestWriteSet::DefinitionOp> definitions;
  std::vector<EgidGrant> grants;
  std::vector<RowSection> rows;
  std::vector<IndexSection> indexes;

  // Precondition: a relative name only where there is a grant (decode() checked it).
  Egid egid(RowName name, std::uint32_t grant) const {
    return name.relative ? grants[grant - 1].first + name.number : name.number;
  }
};

Result<CommitRecord> decode_commit(ByteView payload);

// Makes the payload piece by piece, in this order: definitions, grants, rows, indexes.
class CommitEncoder {
 public:
  CommitEncoder() : out_(bytes_) {}

  void definitions(std::span<const ForestWriteSet::DefinitionOp> ops);
  void grants(std::span<const EgidGrant> grants);

  void begin_rows(std::size_t sections) { out_.varint(sections); }
  void row_section(TableRef table, std::uint32_t schema_version, std::uint32_t grant,
                   std::size_t inserts);
  void insert(std::uint64_t first, std::uint32_t rows, std::span<const Vector> columns,
              std::uint32_t from_row);
  void begin_changes(std::size_t changes) { out_.varint(changes); }
  Status change(RowName row, GroupMask mask, std::span<const Datum> values);  // erased: mask 0

  void begin_indexes(std::size_t sections) { out_.varint(sections); }
  void index_section(TableRef table, std::uint32_t grant, std::size_t ops);
  void index_op(RowName row, bool add, bool never_collides, ByteView key);

  std::size_t size() const { return bytes_.size(); }
  // Where in the payload the first egid of each grant goes, 8 bytes little-endian.
  std::span<const std::size_t> grant_places() const { return places_; }
  ByteBuffer take() { return std::move(bytes_); }

 private:
  void row_name(RowName row);
  void column(const Vector& values, std::uint32_t from_row, std::uint32_t rows);

  ByteBuffer bytes_;
  ByteWriter out_;
  std::vector<std::size_t> places_;
  ByteBuffer tuple_;
};

}  // namespace coppice::lsm
