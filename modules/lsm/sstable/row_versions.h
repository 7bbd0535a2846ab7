// row_versions.h — the versions of one row, newest first, and what of them must be kept.
//
// Role:     between whatever holds versions (memtables, files being merged) and a RowFileBuilder.
#pragma once

#include <vector>

#include "modules/lsm/sstable/row_file_builder.h"

namespace coppice::lsm {

struct StoredVersion {
  Hlc timestamp;
  GroupMask mask = 0;
  bool deleted = false;
  std::vector<Datum> values;  // by column of the schema; set for the groups in `mask`
};

struct ReduceOptions {
  Hlc horizon;           // no read is below it
  bool is_last = false;  // no older version exists elsewhere: the newest one is made whole, and a
                         // tombstone that hides nothing any more is dropped
};

// Drops what no read at or above the horizon can see; what stays says the same. `versions` have
// distinct timestamps, newest first.
void reduce_versions(const TableSchema& schema, const ReduceOptions& options,
                     std::vector<StoredVersion>& versions);

// Adds them to the file.
Status add_versions(const TableSchema& schema, Egid egid,
                    const std::vector<StoredVersion>& versions, RowFileBuilder& to);

}  // namespace coppice::lsm
