// A fiber: a stack of its own, and the switch between it and its caller. Each
// thread of an emulated block that can wait is one. Without it a thread that
// waits at a barrier could not let the others run.
#include "fiber.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace retro::gpu;

Fiber::Fiber(size_t StackBytes) {
  size_t Page = sysconf(_SC_PAGESIZE);
  Size = (StackBytes + Page - 1) / Page * Page;
  void *M = mmap(nullptr, Size + Page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (M == MAP_FAILED || mprotect(M, Page, PROT_NONE)) {
    perror("gpu on cpu: stack of a thread");
    abort();
  }
  Low = static_cast<char *>(M) + Page;
}

Fiber::~Fiber() {
  size_t Page = sysconf(_SC_PAGESIZE);
  munmap(Low - Page, Size + Page);
}

#if defined(__x86_64__)

// Saves what a called function must keep, and changes stacks.
extern "C" void retro_gpu_switch(void **From, void *To);
asm(R"(
  .text
  .globl retro_gpu_switch
  .hidden retro_gpu_switch
  .type retro_gpu_switch, @function
retro_gpu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size retro_gpu_switch, .-retro_gpu_switch

  .globl retro_gpu_begin
  .hidden retro_gpu_begin
  .type retro_gpu_begin, @function
retro_gpu_begin:
  movq %r13, %rdi
  callq *%r12
  ud2
  .size retro_gpu_begin, .-retro_gpu_begin
)");
extern "C" void retro_gpu_begin();

void Fiber::start(void (*Entry)(void *), void *Argument) {
  // Lays the stack out as retro_gpu_switch leaves one: r15 r14 r13 r12 rbx rbp,
  // return.
  auto *Top = reinterpret_cast<uintptr_t *>(Low + Size);
  *--Top = 0; // keeps the stack aligned at the call
  *--Top = 0;
  *--Top = reinterpret_cast<uintptr_t>(retro_gpu_begin);
  *--Top = 0;
  *--Top = 0;
  *--Top = reinterpret_cast<uintptr_t>(Entry);
  *--Top = reinterpret_cast<uintptr_t>(Argument);
  *--Top = 0;
  *--Top = 0;
  Mine = Top;
}

void Fiber::resume() { retro_gpu_switch(&Scheduler, Mine); }
void Fiber::yield() { retro_gpu_switch(&Mine, Scheduler); }

#else

namespace {
/// makecontext passes no pointer: the fiber that begins is the one resumed
/// last.
thread_local Fiber *Beginning = nullptr;
} // namespace

void Fiber::begin() { Beginning->Entry(Beginning->Argument); }

void Fiber::start(void (*E)(void *), void *A) {
  Entry = E;
  Argument = A;
  getcontext(&Mine);
  Mine.uc_stack.ss_sp = Low;
  Mine.uc_stack.ss_size = Size;
  Mine.uc_link = nullptr;
  makecontext(&Mine, &Fiber::begin, 0);
}

void Fiber::resume() {
  Beginning = this;
  swapcontext(&Scheduler, &Mine);
}
void Fiber::yield() { swapcontext(&Mine, &Scheduler); }

#endif
