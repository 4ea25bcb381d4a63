// Checks that compare numbers with numbers and evaluate nothing.
#include "text.hpp"
#include <algorithm>

namespace retro::verify {

Verdict compareEntries(View Gradient, View Reference,
                       const EntryOptions &Options, std::string Check) {
  if (Gradient.size() != Reference.size())
    return failed(std::move(Check),
                  text("gradient has ", Gradient.size(), " entries, reference ",
                       Reference.size()),
                  NAN, Options.tolerance);
  if (std::string Where = notFinite("gradient", Gradient); !Where.empty())
    return failed(std::move(Check), Where, NAN, Options.tolerance);
  if (std::string Where = notFinite("reference", Reference); !Where.empty())
    return failed(std::move(Check), Where, NAN, Options.tolerance);

  double Largest = largestMagnitude(Reference);
  double Floor = Options.floor * Largest;
  double Worst = 0;
  std::size_t At = 0;
  for (std::size_t I = 0; I < Gradient.size(); ++I) {
    double Difference = std::abs(Gradient[I] - Reference[I]);
    if (Difference == 0)
      continue;
    // The scale is 0 only where the reference is 0: then any error is infinite.
    double Error = Difference / std::max(std::abs(Reference[I]), Floor);
    if (Error > Worst) {
      Worst = Error;
      At = I;
    }
  }

  if (Largest == 0 && Worst == 0 && !Options.allowZero)
    return unknown(std::move(Check),
                   text("vacuous: all ", Gradient.size(), " entries are zero"),
                   0, Options.tolerance);
  std::string Detail = text(Gradient.size(), " entries");
  if (Worst > 0)
    Detail +=
        text(", worst at ", At, ": ", Gradient[At], " for ", Reference[At]);
  return judge(std::move(Check), Worst, Options.tolerance, std::move(Detail));
}

Verdict dotProduct(View W, View Jv, View JTw, View V, const DotOptions &Options,
                   std::string Check) {
  if (W.size() != Jv.size() || JTw.size() != V.size())
    return failed(std::move(Check),
                  "lengths of w and J v, or of J'w and v, "
                  "differ",
                  NAN, Options.tolerance);
  for (auto [What, Vector] : {std::pair{"w", W}, std::pair{"J v", Jv},
                              std::pair{"J'w", JTw}, std::pair{"v", V}})
    if (std::string Where = notFinite(What, Vector); !Where.empty())
      return failed(std::move(Check), Where, NAN, Options.tolerance);

  double Forward = 0, Reverse = 0, ForwardSize = 0, ReverseSize = 0;
  for (std::size_t I = 0; I < W.size(); ++I) {
    Forward += W[I] * Jv[I];
    ForwardSize += std::abs(W[I] * Jv[I]);
  }
  for (std::size_t I = 0; I < V.size(); ++I) {
    Reverse += JTw[I] * V[I];
    ReverseSize += std::abs(JTw[I] * V[I]);
  }
  double Size = std::max(ForwardSize, ReverseSize);
  if (Size == 0) {
    if (Options.allowZero)
      return judge(std::move(Check), 0, Options.tolerance, "both sides zero");
    return unknown(std::move(Check), "vacuous: both sides are zero", 0,
                   Options.tolerance);
  }
  return judge(std::move(Check), std::abs(Forward - Reverse) / Size,
               Options.tolerance,
               text("<w,Jv> = ", Forward, ", <J'w,v> = ", Reverse));
}

} // namespace retro::verify
