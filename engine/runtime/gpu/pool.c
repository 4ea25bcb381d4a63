// The number of a thread in a launch, and how many there are: they say where
// its tape lies in a pool.

typedef unsigned long long number_t;
#define ENTRY __attribute__((always_inline))

#ifdef __NVPTX__
#define INDEX(D) __nvvm_read_ptx_sreg_tid_##D()
#define BLOCK(D) __nvvm_read_ptx_sreg_ctaid_##D()
#define THREADS(D) __nvvm_read_ptx_sreg_ntid_##D()
#define BLOCKS(D) __nvvm_read_ptx_sreg_nctaid_##D()
#else
// The sizes of the launch, where code objects since version 5 have them.
#define HIDDEN __builtin_amdgcn_implicitarg_ptr()
enum { x, y, z };
static unsigned blocks(int D) {
  return ((const __attribute__((address_space(4))) unsigned *)HIDDEN)[D];
}
static unsigned threads(int D) {
  return (
      (const __attribute__((address_space(4))) unsigned short *)HIDDEN)[6 + D];
}
#define INDEX(D) __builtin_amdgcn_workitem_id_##D()
#define BLOCK(D) __builtin_amdgcn_workgroup_id_##D()
#define THREADS(D) threads(D)
#define BLOCKS(D) blocks(D)
#endif

ENTRY number_t __retro_threads_of_launch(void) {
  return (number_t)BLOCKS(x) * BLOCKS(y) * BLOCKS(z) * THREADS(x) * THREADS(y) *
         THREADS(z);
}

ENTRY number_t __retro_thread_of_launch(void) {
  number_t N = ((number_t)BLOCK(z) * BLOCKS(y) + BLOCK(y)) * BLOCKS(x);
  N = (N + BLOCK(x)) * THREADS(z) + INDEX(z);
  return (N * THREADS(y) + INDEX(y)) * THREADS(x) + INDEX(x);
}
