// sql_error.h — errors that a client will see: SQLSTATE and the fields of ErrorResponse as notes.
//
// Role:     the one way to make an error with PostgreSQL's SQLSTATE, detail, hint and position. An
// error
//           without a SQLSTATE gets one from its code (sqlstate_of).
// Source:   PostgreSQL 15, "Message Formats: Error and Notice Message Fields" and appendix A.
#pragma once

#include <string>
#include <string_view>

#include "kernel/base/result.h"

namespace coppice {

// Note keys: the wire protocol's field letters.
namespace sql_field {
inline constexpr char kSeverity = 'S';
inline constexpr char kSqlstate = 'C';
inline constexpr char kDetail = 'D';
inline constexpr char kHint = 'H';
inline constexpr char kPosition = 'P';  // 1-based, in characters of the statement's text
inline constexpr char kWhere = 'W';
inline constexpr char kSchema = 's';
inline constexpr char kTable = 't';
inline constexpr char kColumn = 'c';
inline constexpr char kDataType = 'd';
inline constexpr char kConstraint = 'n';
}  // namespace sql_field

// The SQLSTATEs that more than one place raises; the rest are written where they are raised.
namespace sqlstate {
inline constexpr std::string_view kFeatureNotSupported = "0A000";
inline constexpr std::string_view kProtocolViolation = "08P01";
inline constexpr std::string_view kUniqueViolation = "23505";
inline constexpr std::string_view kNotNullViolation = "23502";
inline constexpr std::string_view kInFailedTransaction = "25P02";
inline constexpr std::string_view kInvalidCatalogName = "3D000";
inline constexpr std::string_view kSerializationFailure = "40001";
inline constexpr std::string_view kDeadlockDetected = "40P01";
inline constexpr std::string_view kSyntaxError = "42601";
inline constexpr std::string_view kUndefinedColumn = "42703";
inline constexpr std::string_view kUndefinedFunction = "42883";
inline constexpr std::string_view kUndefinedTable = "42P01";
inline constexpr std::string_view kDuplicateTable = "42P07";
inline constexpr std::string_view kOutOfMemory = "53200";
inline constexpr std::string_view kDiskFull = "53100";
inline constexpr std::string_view kStatementTooComplex = "54001";
inline constexpr std::string_view kProgramLimitExceeded = "54000";
inline constexpr std::string_view kQueryCanceled = "57014";
inline constexpr std::string_view kAdminShutdown = "57P01";
inline constexpr std::string_view kDataCorrupted = "XX001";
inline constexpr std::string_view kInternalError = "XX000";
}  // namespace sqlstate

// An error with the given SQLSTATE; its Code follows from the SQLSTATE's class.
Error sql_error(std::string_view sqlstate, std::string message);

// The SQLSTATE of any error: its note, else the one of its code.
std::string_view sqlstate_of(const Error& error);

}  // namespace coppice
