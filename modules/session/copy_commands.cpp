// copy_commands.cpp — COPY from and to the client.
#include "interfaces/types/sql_error.h"
#include "modules/session/statement_runner.h"

namespace coppice::session {

Result<std::string> StatementRunner::operator()(const CopyStatement&) {
  return std::unexpected(sql_error(sqlstate::kFeatureNotSupported, "COPY is not supported"));
}

}  // namespace coppice::session
