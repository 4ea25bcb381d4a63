#include "report.h"

#include <algorithm>
#include <cmath>
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

/// The claims at special points, once for all formats.
std::string conventionsOf(const RuleReport &r) {
  std::vector<std::string> names;
  std::string text;
  for (const Found &f : r.claims) {
    std::string name = f.claim.substr(0, f.claim.rfind(" ("));
    if (f.verdict.answer != Answer::Proved)
      name += std::string(" - ") + word(f.verdict.answer);
    if (!f.convention || std::ranges::find(names, name) != names.end())
      continue;
    names.push_back(name);
    text += (text.empty() ? "" : "; ") + name;
  }
  return text;
}

} // namespace

void printMarkdown(std::ostream &s, const std::vector<RuleReport> &lemmas,
                   const std::vector<RuleReport> &rules) {
  s << "# Rules proved\n\n"
       "Written by `./retro verify rules --markdown`; "
       "docs/verification.md says what the claims are. `a`, `b`, `c` are the "
       "operands (of a complex function `z` and `c`), `y` is the result.\n\n";
  printSummary(s, rules);
  s << "\n| rule | | proved for | defined by | claims | mutants refuted |\n"
       "|---|---|---|---|---|---|\n";
  for (const RuleReport &r : rules) {
    const Mutants &m = r.mutants;
    s << "| " << r.name << " | " << word(r.answer) << " | " << cell(r.domain)
      << " | " << cell(r.definition) << " | " << r.proved << " of "
      << r.claims.size() << " | ";
    if (r.answer == Answer::Proved)
      s << m.refuted << " of " << m.refuted + m.surviving.size();
    s << " |\n";
  }
  s << "\n## Ties, kinks and singular points\n\n"
       "For all numbers of 16, 32 and 64 bits. `g` is the seed, neither 0 nor "
       "NaN.\n\n";
  for (const RuleReport &r : rules)
    if (std::string text = conventionsOf(r); !text.empty())
      s << "- **" << r.name << "**: " << text << ".\n";
  s << "\nA seed of 0 gives 0 for every rule and all operands, with one "
       "exception: for an operand that is NaN, these rules, which need no "
       "guard otherwise, give NaN:";
  for (const RuleReport &r : rules)
    if (r.passesNaN)
      s << " " << r.name;
  s << ".\n\n## Not known, and why\n\n";
  for (const RuleReport &r : rules)
    if (r.answer == Answer::Unknown) {
      // The last digits are the C library's; the page is the same everywhere.
      char error[80];
      std::snprintf(error, sizeof error, "%d partials, error below 1e%d",
                    r.evidence.partials,
                    static_cast<int>(std::ceil(
                        std::log10(std::max(2 * r.evidence.error, 1e-300)))));
      s << "- **" << r.name << "**: " << r.detail
        << ". Instead: the rule in double against differences of the function "
           "in binary128, "
        << error << " of max(1, the partial).\n";
    }
  s << "\n## What the proofs use\n\n| | | claims |\n|---|---|---|\n";
  for (const RuleReport &r : lemmas)
    s << "| " << r.name << " | " << word(r.answer) << " | " << r.proved
      << " of " << r.claims.size() << " |\n";
}

} // namespace retro::proofs
