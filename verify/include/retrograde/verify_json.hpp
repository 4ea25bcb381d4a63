// Verdicts as JSON (nlohmann::json). A NaN is written as null and read back as
// NaN; `outcome` is "passed", "failed" or "unknown".
#ifndef RETROGRADE_VERIFY_JSON_HPP
#define RETROGRADE_VERIFY_JSON_HPP

#include "retrograde/verify.hpp"
#include <nlohmann/json.hpp>

namespace retro::verify {

inline void to_json(nlohmann::json &J, const Verdict &V) {
  J = {{"check", V.check},         {"outcome", name(V.outcome())},
       {"passed", V.passed},       {"error", V.error},
       {"tolerance", V.tolerance}, {"detail", V.detail}};
}

inline void from_json(const nlohmann::json &J, Verdict &V) {
  auto Number = [&](const char *Key) {
    const nlohmann::json &Value = J.at(Key);
    return Value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                           : Value.get<double>();
  };
  std::string Outcome = J.at("outcome").get<std::string>();
  V = {J.at("check").get<std::string>(),
       Outcome == "passed",
       Number("error"),
       Number("tolerance"),
       J.at("detail").get<std::string>(),
       Outcome != "unknown"};
}

} // namespace retro::verify

#endif // RETROGRADE_VERIFY_JSON_HPP
