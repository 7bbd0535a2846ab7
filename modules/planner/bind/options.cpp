// options.cpp — values of options as booleans and texts.
#include "modules/planner/bind/options.h"

#include <algorithm>

#include "modules/planner/parse/lexer.h"

namespace coppice::planner {

std::string lower(std::string_view text) {
  std::string folded(text);
  std::ranges::transform(folded, folded.begin(), to_lower_ascii);
  return folded;
}

Result<std::string> option_text(const BindContext& context, const ast::Option& option) {
  switch (option.kind) {
    case ast::OptionValue::kInteger:
      return std::to_string(option.integer);
    case ast::OptionValue::kNumber:
    case ast::OptionValue::kText:
      return std::string(option.text);
    case ast::OptionValue::kBoolean:
      return option.integer != 0 ? "true" : "false";
    case ast::OptionValue::kStar:
      return "*";
    case ast::OptionValue::kType:
    case ast::OptionValue::kNames: {
      const ast::Names names =
          option.kind == ast::OptionValue::kType ? option.type->names : option.names;
      std::string joined;
      for (const ast::Name name : names) {
        if (!joined.empty()) joined += '.';
        joined += name;
      }
      return joined;
    }
    default:
      return context.error(ast::kNoLocation, sqlstate::kSyntaxError,
                           std::string(option.name) + " requires a parameter");
  }
}

Result<bool> option_boolean(const BindContext& context, const ast::Option& option) {
  if (option.kind == ast::OptionValue::kNone) return true;
  if (option.kind == ast::OptionValue::kInteger) {
    if (option.integer == 0 || option.integer == 1) return option.integer == 1;
  } else {
    const std::string text = COPPICE_TRY(option_text(context, option));
    const std::string word = lower(text);
    if (word == "true" || word == "on") return true;
    if (word == "false" || word == "off") return false;
  }
  return context.error(ast::kNoLocation, sqlstate::kSyntaxError,
                       std::string(option.name) + " requires a Boolean value");
}

Status check_no_duplicates(const BindContext& context, ast::List<ast::Option> options) {
  for (std::size_t i = 0; i < options.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (options[i].name == options[j].name)
        return context.error(options[i].location, sqlstate::kSyntaxError,
                             "conflicting or redundant options");
  return {};
}

}  // namespace coppice::planner
