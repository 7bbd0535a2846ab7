// raw_parse.h — one call of PostgreSQL's raw parser, with its errors as values.
//
// Role:     raw_parse.c is the only file that uses PG_TRY; everything here is plain C.
// Owns:     a CoppiceRawParse owns the parser's memory context; end it with
//           coppice_raw_parse_end().
// Threads:  begin and end on one thread, and nothing else of libpg_query in between but reading.
// Parks:    never between begin and end: the parser's state is per thread.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct CoppiceRawParse {
  void* context;      // MemoryContext: holds the tree and the texts below
  const void* trees;  // List of RawStmt; null for an empty text, and on error
  int failed;
  int cursor;  // 1-based, in characters; 0: none
  char sqlstate[6];
  const char* message;
  const char* detail;  // may be null
  const char* hint;    // may be null
};

// `text` ends with a NUL.
void coppice_raw_parse_begin(const char* text, struct CoppiceRawParse* out);
void coppice_raw_parse_end(struct CoppiceRawParse* parse);

#ifdef __cplusplus
}
#endif
