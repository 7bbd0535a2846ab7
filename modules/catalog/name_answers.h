// name_answers.h — what types that are written as names ask: regclassin, regclassout …
//
// Threads:  any. Parks: never.
// Source:   PostgreSQL 15, regproc.c.
#pragma once

#include "modules/catalog/definition_text.h"

namespace coppice::catalog {

// `question` is the name of the input or the output function. In: a text argument, the answer an
// OID. Out: an OID, the answer a text. Nothing: there is no such thing, or it is another question.
std::optional<std::string> name_answer(const DefinitionContext& context, std::string_view question,
                                       std::span<const Datum> arguments);

}  // namespace coppice::catalog
