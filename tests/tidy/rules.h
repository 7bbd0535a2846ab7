// rules.h — the rules of the lint, as a table of functions from the tree to problems.
//
// Role:     docs/STYLE.md says what the rules are for; layers.toml holds what they compare with.
//           A rule knows nothing of allowlists: run_rules() takes those problems out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/policy.h"
#include "tests/tidy/repo.h"

namespace coppice::tidy {

struct Problem {
  std::string path;
  int line;  // 0: the file as a whole
  std::string rule;
  std::string what;  // what is wrong, and what to do instead

  std::string to_string() const;  // "path:line: rule: what"
};
using Problems = std::vector<Problem>;

using Rule = void (*)(const Repo&, const Policy&, Problems&);

// rules_includes.cpp
void check_include_direction(const Repo&, const Policy&, Problems&);  // include-direction
void check_third_party(const Repo&, const Policy&, Problems&);        // third-party
void check_include_style(const Repo&, const Policy&, Problems&);      // include-style
// rules_constructs.cpp
void check_banned(const Repo&, const Policy&, Problems&);     // named by each [[banned]] row
void check_naked_new(const Repo&, const Policy&, Problems&);  // naked-new
void check_try_place(const Repo&, const Policy&, Problems&);  // try-place
void check_range_for(const Repo&, const Policy&, Problems&);  // range-for
// rules_files.cpp
void check_header_comment(const Repo&, const Policy&, Problems&);  // header-comment
void check_file_name(const Repo&, const Policy&, Problems&);       // file-name
void check_targets(const Repo&, const Policy&, Problems&);         // in-a-target
void check_private_names(const Repo&, const Policy&, Problems&);   // private-names
void check_todo(const Repo&, const Policy&, Problems&);            // todo
// rules_docs.cpp
void check_markdown(const Repo&, const Policy&, Problems&);      // markdown
void check_wire_ids(const Repo&, const Policy&, Problems&);      // wire-ids
void check_dependencies(const Repo&, const Policy&, Problems&);  // dependencies

std::span<const Rule> all_rules();

// Every problem that tests/tidy/allow/<rule>.txt does not name; and the lines there that name none.
Problems run_rules(const Repo& repo, const Policy& policy, std::span<const Rule> rules);

}  // namespace coppice::tidy
