// Links into a module what its derivatives call: the tape, teams of threads,
// message passing, from bitcode in the plugin. What is missing here is an
// undefined symbol when the program is linked.
#include "answer/embedded_runtime.h"

#include "base/toggles.h"
#include "front/known/known_functions.h"
#include "front/names/runtime.h"
#include "ir/device_code.h"
#include "prepare/words/note_types.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

const unsigned char PlanCheck[] = {
#include "plan_check.inc"
};
const unsigned char OpenMP[] = {
#include "openmp.inc"
};
const unsigned char Pool[] = {
#include "pool.inc"
};
const unsigned char OpenMpi[] = {
#include "openmpi.inc"
};
const unsigned char Mpich[] = {
#include "mpich.inc"
};

const unsigned char Threads[] = {
#include "threads.inc"
};
const unsigned char Checkpoint[] = {
#include "checkpoint.inc"
};

const unsigned char Failure[] = {
#include "failure.inc"
};

const unsigned char Kept[] = {
#include "kept.inc"
};

const unsigned char Exceptions[] = {
#include "exceptions.inc"
};

const unsigned char Mpfr[] = {
#include "mpfr.inc"
};

const unsigned char NotedPlaces[] = {
#include "noted_places.inc"
};

const unsigned char NotedWords[] = {
#include "noted_words.inc"
};

const unsigned char Images[] = {
#include "images.inc"
};

const unsigned char StaticVectors[] = {
#include "static_vectors.inc"
};

const unsigned char Tape[] = {
#include "tape.inc"
};

const unsigned char Objects[] = {
#include "objects.inc"
};

const unsigned char Fftw[] = {
#include "fftw.inc"
};
const unsigned char Fftwf[] = {
#include "fftwf.inc"
};

const unsigned char LaunchCuda[] = {
#include "launch_cuda.inc"
};
const unsigned char LaunchHip[] = {
#include "launch_hip.inc"
};
const unsigned char ArraysCuda[] = {
#include "arrays_cuda.inc"
};
const unsigned char ArraysHip[] = {
#include "arrays_hip.inc"
};

const unsigned char ShufflesNvptx[] = {
#include "shuffles_nvptx.inc"
};
const unsigned char ShufflesAmdgcn[] = {
#include "shuffles_amdgcn.inc"
};

const unsigned char PoolNvptx[] = {
#include "pool_nvptx.inc"
};
const unsigned char PoolAmdgcn[] = {
#include "pool_amdgcn.inc"
};

StringRef bytes(ArrayRef<unsigned char> B) {
  return {reinterpret_cast<const char *>(B.data()), B.size()};
}

bool isOurs(const GlobalValue &G) { return isNamed(G.getName(), Named::any); }

/// Makes the runtime's state common to all modules that bring it, and its code
/// fit for any processor. If races are looked for, the sanitizer has to see
/// what orders threads.
void adapt(GlobalValue &G, bool ThreadSanitizer) {
  if (G.isDeclaration() || G.hasLocalLinkage())
    return;
  G.setLinkage(GlobalValue::LinkOnceODRLinkage);
  AttributeMask Processor;
  for (StringRef A : {"target-cpu", "target-features", "tune-cpu"})
    Processor.addAttribute(A);
  if (auto *F = dyn_cast<Function>(&G)) {
    F->removeFnAttrs(Processor);
    // A second derivative has to know what the runtime keeps in its memory.
    noteEmitted(*F);
    if (ThreadSanitizer)
      F->addFnAttr(Attribute::SanitizeThread);
  }
}

void link(Module &M, StringRef Name, ArrayRef<unsigned char> Bitcode) {
  if (Bitcode.size() <= 1)
    return; // not built
  auto Runtime = getLazyBitcodeModule(MemoryBufferRef(bytes(Bitcode), Name),
                                      M.getContext());
  if (!Runtime)
    report_fatal_error(Runtime.takeError());
  bool Wanted = false;
  SmallVector<std::string> Names;
  for (GlobalValue &G : (*Runtime)->global_values())
    if (isOurs(G) && !G.isDeclaration()) {
      Names.push_back(G.getName().str());
      GlobalValue *Use = M.getNamedValue(G.getName());
      Wanted |= Use && Use->isDeclaration();
    }
  if (!Wanted)
    return;
  (*Runtime)->setTargetTriple(M.getTargetTriple());
  (*Runtime)->setDataLayout(M.getDataLayout());
  // The program's module flags say how it is compiled, for example for which
  // version of code objects.
  if (NamedMDNode *Flags = (*Runtime)->getModuleFlagsMetadata())
    (*Runtime)->eraseNamedMetadata(Flags);
  Linker::linkModules(M, std::move(*Runtime), Linker::LinkOnlyNeeded);
  bool ThreadSanitizer = any_of(M, [](const Function &F) {
    return F.hasFnAttribute(Attribute::SanitizeThread);
  });
  for (const std::string &N : Names)
    if (GlobalValue *G = M.getNamedValue(N))
      adapt(*G, ThreadSanitizer);
}

void fitAtomics(Module &M) {
  for (Function &F : M)
    if (isOurs(F))
      for (Instruction &I : instructions(F))
        if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
          // The compiler of the runtime did not know whether memory is the
          // device's own.
          A->eraseMetadataIf([](unsigned, MDNode *) { return true; });
          fitAtomic(*A);
        }
}

/// Inlines the runtime itself, as the pipeline's inlining is over when it is
/// linked.
void inlineRuntime(Module &M) {
  SmallVector<CallBase *> Calls;
  for (Function &F : M)
    if (isNamed(F.getName(), Named::threads) && !F.isDeclaration()) {
      if (isOn(Toggle::tape_inline)) {
        counters().tape_inline += F.getNumUses();
      } else {
        F.removeFnAttr(Attribute::AlwaysInline);
        F.addFnAttr(Attribute::NoInline);
      }
    }
  for (Function &F : M)
    if (isOurs(F) && !F.isDeclaration() &&
        F.hasFnAttribute(Attribute::AlwaysInline))
      for (User *U : F.users())
        if (auto *C = dyn_cast<CallBase>(U))
          Calls.push_back(C);
  for (CallBase *C : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*C, Info);
  }
}

} // namespace

void linkRuntimes(Module &M) {
  if (isGpu(M)) {
    bool Amd = M.getTargetTriple().isAMDGPU();
    link(M, "shuffles",
         Amd ? ArrayRef(ShufflesAmdgcn) : ArrayRef(ShufflesNvptx));
    link(M, "pool", Amd ? ArrayRef(PoolAmdgcn) : ArrayRef(PoolNvptx));
    fitAtomics(M);
    return inlineRuntime(M);
  }
  // On a GPU, the program or the runner of kernels brings the rest. The
  // runtimes that most derivatives need come first, as it takes time to look
  // into each.
  const std::pair<StringRef, ArrayRef<unsigned char>> Runtimes[] = {
      {"tape", Tape},
      {"failure", Failure},
      {"plan_check", PlanCheck},
      {"openmp", OpenMP},
      {"pool", Pool},
      {"openmpi", OpenMpi},
      {"mpich", Mpich},
      {"threads", Threads},
      {"launch_cuda", LaunchCuda},
      {"launch_hip", LaunchHip},
      {"arrays_cuda", ArraysCuda},
      {"arrays_hip", ArraysHip},
      {"checkpoint", Checkpoint},
      {"fftw", Fftw},
      {"fftwf", Fftwf},
      {"objects", Objects},
      {"kept", Kept},
      {"static_vectors", StaticVectors},
      {"images", Images},
      {"noted_places", NotedPlaces},
      {"noted_words", NotedWords},
      {"exceptions", Exceptions},
      {"mpfr", Mpfr},
      {"tape", Tape}, // others call these two, too
      {"failure", Failure}};
  for (auto [Name, Bitcode] : Runtimes)
    if (any_of(M.global_values(), [](const GlobalValue &G) {
          return isOurs(G) && G.isDeclaration();
        }))
      link(M, Name, Bitcode);
}

} // namespace retro
