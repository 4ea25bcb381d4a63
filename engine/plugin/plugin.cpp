// Registers the pass with the pipelines of clang and opt, together with small
// passes that keep the optimizer from destroying, before it, what it reads.
// Declared in pipeline.h.
#include "answer/thin_link.h"
#include "base/toggles.h"
#include "front/known/entry_points.h"
#include "front/registered/sayings.h"
#include "front/requests/own_copies.h"
#include "front/requests/registers.h"
#include "front/requests/traits.h"
#include "launch/launch.h"
#include "loops/peeling.h"
#include "loops/wide_indices.h"
#include "plugin/device_code.h"
#include "plugin/link_again.h"
#include "plugin/pipeline.h"
#include "plugin/reached.h"
#include "polish/long_blocks.h"
#include "prepare/calls/stand_in.h"
#include "prepare/memory/container_heads.h"
#include "prepare/memory/kept_calls.h"
#include "prepare/targets/device_library.h"
#include "prepare/threads/tasks.h"
#include "prepare/words/note_types.h"
#include "prepare/wrong_promises.h"
#include "retro_version.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

using namespace llvm;

namespace {

/// A pass that runs on functions that must not be optimized, too.
template <class Pass> struct Required : PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

/// Keeps requests of two branches from being merged into one with a choice of
/// markers or functions: these must stay constants.
struct KeepRequestsApart : Required<KeepRequestsApart> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    for (CallBase *C : retro::requestsIn(F))
      C->addFnAttr(Attribute::NoMerge);
    return PreservedAnalyses::all();
  }
};

/// Brings launches and kernels to the form that is differentiated, before
/// anything is inlined.
struct PrepareLaunches : Required<PrepareLaunches> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    retro::prepareKernels(M);
    retro::prepareLaunches(M);
    return PreservedAnalyses::none();
  }
};

/// Keeps loops over grids from being peeled before they are differentiated.
struct KeepNests : Required<KeepNests> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &FAM =
        MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    bool Changed = false;
    if (retro::isOn(retro::Toggle::neighbours) &&
        any_of(M, [](Function &F) { return retro::hasRequests(F); }))
      for (Function &F : M)
        if (!F.isDeclaration() && !F.hasOptNone())
          Changed |= retro::keepNests(F, FAM);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Computes indices of what is differentiated with 64 bits, as long as the
/// program's sums are whole. Variables have become values, so that it sees
/// those that a statement of its own computed.
struct WidenIndices : Required<WidenIndices> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool Changed = false;
    if (!retro::isGpu(M))
      for (Function *F : retro::reachedByRequests(M))
        if (!F->hasOptNone())
          Changed |= retro::widenIndices(*F);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Tells the library's strings and the heads of its containers apart from what
/// lies beside them, and keeps calls of std::async.
struct KeepLibraryApart : Required<KeepLibraryApart> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const bool Calls = retro::keepLibraryCalls(M), Heads = retro::markHeads(M),
               Tasks = retro::keepTasks(M);
    return Calls || Heads || Tasks ? PreservedAnalyses::none()
                                   : PreservedAnalyses::all();
  }
};

/// Notes which parameters are halves of structs, before that is forgotten, and
/// takes back what would be believed.
struct NoteRegisters : Required<NoteRegisters> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    retro::noteRegisters(F);
    retro::dropWrongPromises(F);
    return PreservedAnalyses::all();
  }
};

/// Notes what the front end says of memory, before it is forgotten.
struct NoteTypes : Required<NoteTypes> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    retro::NamedStructs Structs(M);
    for (Function &F : M)
      if (!F.isDeclaration()) {
        retro::noteTypes(F, Structs);
        retro::noteDeclared(F, retro::isOfFlang(M));
      }
    retro::noteVectors(M, Structs);
    return PreservedAnalyses::none();
  }
};

/// Lets the optimizer see the program's own functions as if no derivative of
/// them had been requested.
struct MakeOwnCopies : Required<MakeOwnCopies> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return retro::applies(retro::Toggle::own_copy, retro::traitsOf(M)) &&
                   retro::makeOwnCopies(M)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

/// Keeps calls of registered functions calls until they are differentiated.
struct HideRegistered : Required<HideRegistered> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const bool Said = retro::defineSayings(M);
    return retro::hideRegistered(M, retro::Registrations(M)) || Said
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

/// Reads, in a thin link, what a module registers, before anything is inlined
/// into the module or left out of it.
struct BeginThinLink : Required<BeginThinLink> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const bool Requests =
        any_of(M, [](Function &F) { return retro::hasRequests(F); });
    if (Requests)
      retro::linkAgainIfStripped(M);
    retro::Registrations R(M);
    retro::noteThinModule(M, R, Requests);
    // A module that was compiled with the plugin has its stand-ins.
    if (none_of(M.globals(), retro::holdsStandIns))
      retro::hideRegistered(M, R);
    return PreservedAnalyses::none();
  }
};

/// Makes functions of the device's library calls until they are differentiated.
struct HideDeviceLibrary : Required<HideDeviceLibrary> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return retro::hideDeviceLibrary(M) ? PreservedAnalyses::none()
                                       : PreservedAnalyses::all();
  }
};

/// Inlines the device's library once derivatives are made, or lets it wait for
/// the link that differentiates.
class ShowDeviceLibrary : public Required<ShowDeviceLibrary> {
public:
  ShowDeviceLibrary(PassBuilder &PB, OptimizationLevel Level,
                    bool LinkFollows = false)
      : Passes(std::make_shared<retro::LibraryPasses>()),
        LinkFollows(LinkFollows) {
    // Only the target NVIDIA has this pass.
    if (Error E = PB.parsePassPipeline(Passes->Reflect, "nvvm-reflect")) {
      consumeError(std::move(E));
      Passes->Reflect = ModulePassManager();
    }
    if (Level != OptimizationLevel::O0)
      Passes->Simplify =
          PB.buildModuleSimplificationPipeline(Level, ThinOrFullLTOPhase::None);
  }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    bool Changed = LinkFollows ? retro::parkDeviceLibrary(M)
                               : retro::showDeviceLibrary(M, MAM, *Passes);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  std::shared_ptr<retro::LibraryPasses> Passes;
  bool LinkFollows;
};

bool vectorizes(OptimizationLevel Level) { return Level.getSpeedupLevel() > 1; }

/// Differentiates where one module is compiled.
void registerInCompilation(PassBuilder &PB) {
  // Runs behind the simplification pipeline and before vectorization. Requests
  // that need other translation units wait for the link, if there is one that
  // runs this pass (a thin link at -O0 does not).
  PB.registerOptimizerEarlyEPCallback([&PB](ModulePassManager &MPM,
                                            OptimizationLevel Level,
                                            ThinOrFullLTOPhase Phase) {
    retro::Requests Which = retro::Requests::All;
    if (Phase == ThinOrFullLTOPhase::FullLTOPreLink)
      Which = retro::Requests::BeforeLink;
    else if (Phase == ThinOrFullLTOPhase::ThinLTOPreLink &&
             Level != OptimizationLevel::O0)
      Which = retro::Requests::BeforeThinLink;
    else if (Phase == ThinOrFullLTOPhase::ThinLTOPostLink)
      Which = retro::Requests::AfterThinLink;
    if (Which == retro::Requests::AfterThinLink)
      MPM.addPass(HideDeviceLibrary());
    MPM.addPass(retro::RetrogradePass(Which, vectorizes(Level)));
    MPM.addPass(
        ShowDeviceLibrary(PB, Level,
                          Which == retro::Requests::BeforeLink ||
                              Which == retro::Requests::BeforeThinLink));
  });
}

/// Differentiates where modules are linked.
void registerInLink(PassBuilder &PB) {
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase == ThinOrFullLTOPhase::ThinLTOPostLink)
          MPM.addPass(BeginThinLink());
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(HideDeviceLibrary());
        MPM.addPass(retro::RetrogradePass(retro::Requests::AfterLink,
                                          vectorizes(Level)));
        MPM.addPass(ShowDeviceLibrary(PB, OptimizationLevel::O0));
      });
}

/// Keeps, of what the program wrote, what the optimizer would lose.
void registerInSimplification(PassBuilder &PB) {
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
        if (Level != OptimizationLevel::O0 &&
            retro::isOn(retro::Toggle::preopt))
          MPM.addPass(WidenIndices());
      });
}

/// Lets LLVM's search for lanes pass over long blocks of derivatives. It knows
/// of no attribute that says so.
void registerSparedLanes(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *Asked =
          PB.getPassInstrumentationCallbacks())
    Asked->registerShouldRunOptionalPassCallback([](StringRef Pass, Any IR) {
      const auto *F = any_cast<const Function *>(&IR);
      return !F || Pass != SLPVectorizerPass::name() ||
             !retro::isSparedLanes(**F);
    });
}

/// Prepares what the front end emitted, and at the end of either pipeline puts
/// a device's memory accesses in order.
void registerBeginAndEnd(PassBuilder &PB) {
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(retro::OrderDeviceMemory());
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(retro::OrderDeviceMemory());
      });
  // The baseline of ablations: the pass runs on what the front end emitted.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(createModuleToFunctionPassAdaptor(NoteRegisters()));
        MPM.addPass(PrepareLaunches());
        MPM.addPass(HideDeviceLibrary());
        if (retro::isOn(retro::Toggle::preopt)) {
          MPM.addPass(HideRegistered());
          if (Level != OptimizationLevel::O0)
            MPM.addPass(KeepNests());
        } else
          MPM.addPass(retro::RetrogradePass(retro::Requests::Settled,
                                            vectorizes(Level)));
        MPM.addPass(createModuleToFunctionPassAdaptor(KeepRequestsApart()));
        MPM.addPass(KeepLibraryApart());
        MPM.addPass(NoteTypes());
        // What was noted is noted of the copies, too.
        if (Level != OptimizationLevel::O0)
          MPM.addPass(MakeOwnCopies());
      });
}

} // namespace

void retro::registerCallbacks(PassBuilder &PB) {
  registerInCompilation(PB);
  registerInLink(PB);
  registerInSimplification(PB);
  registerBeginAndEnd(PB);
  registerSparedLanes(PB);
  PB.registerPipelineParsingCallback(
      [&PB](StringRef Name, ModulePassManager &MPM,
            ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "retrograde" && Name != "enzyme")
          return false;
        MPM.addPass(PrepareLaunches());
        MPM.addPass(HideDeviceLibrary());
        MPM.addPass(retro::RetrogradePass());
        MPM.addPass(ShowDeviceLibrary(PB, OptimizationLevel::O0));
        MPM.addPass(retro::OrderDeviceMemory());
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "retrograde", RETRO_VERSION,
          retro::registerCallbacks};
}
