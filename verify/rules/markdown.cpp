#include "report.h"

#include <cstdio>
#include <ostream>

namespace retro::proofs {
namespace {

const char *word(Answer a) {
  return a == Answer::Proved    ? "proved"
         : a == Answer::Refuted ? "**refuted**"
                                : "not known";
}

/// Text as it stands in a cell of a table.
std::string cell(const std::string &text) {
  std::string out;
  for (char c : text)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

} // namespace

void printMarkdown(std::ostream &s, const std::vector<RuleReport> &lemmas,
                   const std::vector<RuleReport> &rules) {
  s << "# Rules proved\n\n"
       "Written by `./retro verify rules --markdown`; "
       "docs/verification.md says what the claims are. `a`, `b`, `c` are the "
       "operands, `y` is the result.\n\n";
  printSummary(s, rules);
  s << "\n| rule | | proved for | defined by | claims | mutants refuted |\n"
       "|---|---|---|---|---|---|\n";
  for (const RuleReport &r : rules) {
    const Mutants &m = r.mutants;
    s << "| " << r.name << " | " << word(r.answer) << " | " << cell(r.domain)
      << " | " << cell(r.definition) << " | " << r.proved << " of "
      << r.obligations << " | ";
    if (r.answer == Answer::Proved)
      s << m.refuted << " of " << m.refuted + m.surviving.size();
    s << " |\n";
  }
  s << "\n## Not known, and why\n\n";
  for (const RuleReport &r : rules)
    if (r.answer == Answer::Unknown) {
      char error[80];
      std::snprintf(error, sizeof error, "%d partials, error at most %.0e",
                    r.evidence.partials, r.evidence.error);
      s << "- **" << r.name << "**: " << r.detail
        << ". Instead: the rule in double against differences of the function "
           "in binary128, "
        << error << " of max(1, the partial).\n";
    }
  s << "\n## What the proofs use\n\n| | | claims |\n|---|---|---|\n";
  for (const RuleReport &r : lemmas)
    s << "| " << r.name << " | " << word(r.answer) << " | " << r.proved
      << " of " << r.obligations << " |\n";
}

} // namespace retro::proofs
