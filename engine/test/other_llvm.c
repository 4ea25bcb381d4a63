// A program that says that it holds another version of LLVM, and loads the
// plugin as a compiler does.
#include <dlfcn.h>
#include <stdio.h>

void LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch) {
  *Major = 19, *Minor = 1, *Patch = 7;
}

int main(int argc, char **argv) {
  if (argc == 2 && dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL))
    puts("loaded");
  else
    puts(argc == 2 ? dlerror() : "usage: other_llvm PLUGIN");
  return 1;
}
