// printf of device code. CUDA passes the format and one buffer with the
// promoted arguments, each at its own alignment; HIP passes pieces. Without it
// a kernel that prints would not link. Kernels call these by name, so no header
// declares them.
#include "state.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

using namespace retro::gpu;

namespace {

/// Formats the arguments that Next gives, as 64 bits; Next is asked for their
/// width.
template <typename Source> std::string format(const char *Format, Source Next) {
  std::string Text;
  char Piece[512];
  for (const char *P = Format; *P;) {
    if (*P != '%') {
      Text += *P++;
      continue;
    }
    const char *End = P + 1 + std::strspn(P + 1, "-+ #0123456789.*hlLzjtq");
    std::string Spec;
    for (const char *Q = P; Q < End; ++Q)
      Spec += *Q == '*' ? std::to_string(int32_t(Next(4))) : std::string(1, *Q);
    char Kind = *End ? *End : '%';
    P = *End ? End + 1 : End;
    std::string Bare;
    for (char C : Spec)
      if (!std::strchr("hlLzjtq", C))
        Bare += C;
    bool Wide = Spec.find_first_of("lzjtq") != std::string::npos;
    if (Kind == '%') {
      Text += '%';
    } else if (std::strchr("eEfFgGaA", Kind)) {
      uint64_t Bits = Next(8);
      double D;
      std::memcpy(&D, &Bits, sizeof D);
      std::snprintf(Piece, sizeof Piece, (Bare + Kind).c_str(), D);
      Text += Piece;
    } else if (Kind == 's') {
      auto *S = reinterpret_cast<const char *>(Next(8));
      std::snprintf(Piece, sizeof Piece, (Bare + Kind).c_str(),
                    S ? S : "(null)");
      Text += Piece;
    } else if (Kind == 'p') {
      std::snprintf(Piece, sizeof Piece, "%p",
                    reinterpret_cast<void *>(Next(8)));
      Text += Piece;
    } else if (Kind == 'c') {
      Text += char(Next(4));
    } else {
      uint64_t V = Next(Wide ? 8 : 4);
      bool Signed = Kind == 'd' || Kind == 'i';
      if (!Wide)
        V = Signed ? uint64_t(int64_t(int32_t(V))) : uint32_t(V);
      std::snprintf(Piece, sizeof Piece, (Bare + "ll" + Kind).c_str(), V);
      Text += Piece;
    }
  }
  return Text;
}

int print(const std::string &Text) {
  std::fwrite(Text.data(), 1, Text.size(), stdout);
  std::fflush(stdout);
  return int(Text.size());
}

/// A printf of HIP that is under way.
struct Pieces {
  std::vector<std::string> Strings;
  std::vector<uint64_t> Words; ///< of a string: its number
};
std::mutex Lock;
std::map<uint64_t, Pieces> Open;
uint64_t Next = 0;

} // namespace

extern "C" {

int retro_gpu_print(const char *Format, const char *Buffer, const Site *) {
  size_t At = 0;
  return print(format(Format, [&](size_t Bytes) {
    At = (At + Bytes - 1) / Bytes * Bytes;
    uint64_t V = 0;
    std::memcpy(&V, Buffer + At, Bytes);
    At += Bytes;
    return V;
  }));
}

uint64_t __ockl_printf_begin(uint64_t) {
  std::lock_guard<std::mutex> G(Lock);
  Open[++Next] = {};
  return Next;
}

static uint64_t finish(uint64_t Which, bool Last) {
  if (!Last)
    return Which;
  Pieces P = std::move(Open[Which]);
  Open.erase(Which);
  if (P.Strings.empty())
    return 0;
  size_t At = 0;
  return print(format(P.Strings[0].c_str(), [&](size_t) {
    uint64_t W = At < P.Words.size() ? P.Words[At] : 0;
    ++At;
    return W;
  }));
}

uint64_t __ockl_printf_append_args(uint64_t Which, uint32_t Count, uint64_t A0,
                                   uint64_t A1, uint64_t A2, uint64_t A3,
                                   uint64_t A4, uint64_t A5, uint64_t A6,
                                   uint32_t Last) {
  std::lock_guard<std::mutex> G(Lock);
  const uint64_t All[] = {A0, A1, A2, A3, A4, A5, A6};
  for (uint32_t I = 0; I < Count && I < 7; ++I)
    Open[Which].Words.push_back(All[I]);
  return finish(Which, Last);
}

uint64_t __ockl_printf_append_string_n(uint64_t Which, const char *Text,
                                       uint64_t, uint32_t Last) {
  std::lock_guard<std::mutex> G(Lock);
  Pieces &P = Open[Which];
  if (!P.Strings.empty())
    P.Words.push_back(reinterpret_cast<uint64_t>(Text));
  P.Strings.push_back(Text ? Text : "");
  return finish(Which, Last);
}

} // extern "C"
