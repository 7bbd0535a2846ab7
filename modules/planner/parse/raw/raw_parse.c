// raw_parse.c — compiled with PostgreSQL's headers; CMakeLists.txt says how.
#include "modules/planner/parse/raw/raw_parse.h"

#include <postgres.h>

#include <nodes/pg_list.h>
#include <parser/parser.h>
#include <pg_query.h>
#include <pg_query/pg_query_internal.h>
#include <utils/memutils.h>

static void keep_error(MemoryContext context, struct CoppiceRawParse* out) {
  ErrorData* error;
  int i;
  MemoryContextSwitchTo(context);
  error = CopyErrorData();
  FlushErrorState();
  out->failed = 1;
  out->cursor = error->cursorpos;
  out->message = error->message != NULL ? error->message : "parser error";
  out->detail = error->detail;
  out->hint = error->hint;
  for (i = 0; i < 5; ++i) out->sqlstate[i] = (char)PGUNSIXBIT(error->sqlerrcode >> (6 * i));
  out->sqlstate[5] = 0;
}

void coppice_raw_parse_begin(const char* text, struct CoppiceRawParse* out) {
  MemoryContext context = pg_query_enter_memory_context();
  memset(out, 0, sizeof *out);
  out->context = context;
  PG_TRY();
  {
    out->trees = raw_parser(text, RAW_PARSE_DEFAULT);
  }
  PG_CATCH();
  {
    keep_error(context, out);
  }
  PG_END_TRY();
}

void coppice_raw_parse_end(struct CoppiceRawParse* parse) {
  pg_query_exit_memory_context((MemoryContext)parse->context);
  parse->context = NULL;
}
