// Reads the operands of one request, from left to right. Its members are where
// their subjects are: request.cpp, request_options.cpp (markers of the whole
// request), request_lanes.cpp (batches).
#ifndef RETRO_FRONT_REQUESTS_PARSER_H
#define RETRO_FRONT_REQUESTS_PARSER_H

#include "front/known/operands.h"
#include "front/requests/request.h"

namespace retro {

class RequestParser {
public:
  RequestParser(llvm::CallBase &Call, const ForwardSplits &Forward, Reporter &R)
      : Call(Call), Forward(Forward), R(R) {}
  std::optional<Request> parse();

private:
  bool bindAll();
  /// The registers of one parameter of the source: most often one.
  using Registers = llvm::ArrayRef<llvm::Argument *>;
  bool bindOne(Registers As);
  bool bind(Registers As);
  bool bindLanes(Registers As);
  bool takeWhole(Registers As, llvm::SmallVectorImpl<llvm::Value *> &Values);
  void loadWhole(Registers As, llvm::Value *From, uint64_t Offset,
                 llvm::SmallVectorImpl<llvm::Value *> &Values);
  bool hasUnmarkedLanes(const llvm::Argument &A) const;
  bool takeActivity(Registers As);
  bool takeShadows(Registers As, std::optional<uint64_t> Stride);
  llvm::MutableArrayRef<BoundArgument> boundLast(Registers As) {
    return llvm::MutableArrayRef(Req.Args).take_back(As.size());
  }
  llvm::SmallVector<llvm::Value *> valuesAt(Registers As, llvm::Value *Base,
                                            uint64_t Offset);
  bool takeSparse(BoundArgument &B);
  /// The functions behind V if it is no memory; false after an error.
  bool sparseBehind(llvm::Value *V, SparseShadow &S);
  bool takeOptions();
  bool takeOperand(llvm::StringRef M);
  bool takeNumber(llvm::StringRef What, uint64_t &N);
  bool takePool(bool OfLaunch);
  bool takeSharedBytes();
  bool takeSplit();
  llvm::Value *takeSeed(llvm::Type *T);
  bool addResultShadow(llvm::Argument &A);
  bool addResultLanes(llvm::Argument &A);
  bool atEnd() const { return Next >= End; }
  llvm::StringRef marker() const {
    return atEnd() ? "" : markerOf(Call.getArgOperand(Next));
  }
  llvm::Value *take(llvm::Type *T, const llvm::Argument &A, bool &Ok);
  std::string askForShadow(const llvm::Argument &A, llvm::Value *Given) const;
  llvm::Value *fromAddress(llvm::Type *T, const llvm::Argument &A,
                           llvm::Value *Given);
  void findShadows();
  void goToShadows();
  bool unknownMarker();
  bool tooFew(const llvm::Twine &What);

  llvm::CallBase &Call;
  const ForwardSplits &Forward;
  Reporter &R;
  Request Req;
  unsigned Next = 0;
  unsigned End = Call.arg_size(); ///< of what is taken next
  /// Where the next shadow stands, if shadows follow all arguments.
  std::optional<unsigned> NextShadow;
  /// The next argument and its shadows are given by their addresses: its bytes.
  std::optional<uint64_t> ByAddress;
};

} // namespace retro

#endif
