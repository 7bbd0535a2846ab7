// bootstrap.h — what a new server begins with, and what a new database begins with.
#pragma once

#include "interfaces/storage_engine.h"
#include "modules/catalog/reserved_tables.h"

namespace coppice::catalog {

// Makes roles, databases and their schemas in one commit, where there is nothing yet; else checks
// that what is there has a format that this build reads (kUnsupportedVersion). Parks.
Status bootstrap(Engine& engine, Budget& budget);

// The reserved tables and schemas of a new database, and its row.
Status define_database(WriteSet& writes, const DatabaseRow& row);

}  // namespace coppice::catalog
