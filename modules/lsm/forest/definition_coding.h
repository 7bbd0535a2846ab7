// definition_coding.h — table definitions as bytes: in commit records and in the manifest.
//
// Format:   docs/formats/commit.md, "Definitions".
// Errors:   reading gives nothing, or leaves the reader failed.
#pragma once

#include <memory>
#include <optional>

#include "interfaces/storage_engine.h"
#include "kernel/base/coding.h"

namespace coppice::lsm {

using DefinitionRef = std::shared_ptr<const TableDefinition>;

void write_table_ref(TableRef table, ByteWriter& to);
TableRef read_table_ref(ByteReader& from);

void write_definition(const TableDefinition& definition, ByteWriter& to);
// Nothing, and `from` failed, unless it is a valid definition.
std::optional<TableDefinition> read_definition(ByteReader& from);

}  // namespace coppice::lsm
