// ast.h — the syntax tree of one SQL text: everything a binder reads. Start with ast_node.h.
#pragma once

#include "modules/planner/parse/ast_ddl.h"         // IWYU pragma: export
#include "modules/planner/parse/ast_expression.h"  // IWYU pragma: export
#include "modules/planner/parse/ast_node.h"        // IWYU pragma: export
#include "modules/planner/parse/ast_query.h"       // IWYU pragma: export
#include "modules/planner/parse/ast_utility.h"     // IWYU pragma: export
