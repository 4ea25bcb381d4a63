"""Programs of __device__ functions, differentiated in kernels of one thread. The judge on the host launches what it would call."""

import random
import re

from .program import Program
from .requests import Requests

HEADER = """#include "generated.h"
__device__ int enzyme_const, enzyme_dup, enzyme_out, enzyme_width;
static double *fz_to(const double *from, int n) {
  double *to;
  cudaMalloc(&to, n * sizeof(double));
  cudaMemcpy(to, from, n * sizeof(double), cudaMemcpyHostToDevice);
  return to;
}
static void fz_from(double *to, double *from, int n) {
  cudaMemcpy(to, from, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(from);
}
"""
# The parameters of the judge's functions: (type, name, how often which numbers).
SHAPES = {
    "call": [("const double *", "in", "inputs", 1), ("double *", "out", "outputs", 1)],
    "forward": [
        ("const double *", "in", "inputs", 1),
        ("const double *", "v", "inputs", 0),
        ("double *", "out", "outputs", 1),
        ("double *", "jv", "outputs", 0),
    ],
    "reverse": [
        ("const double *", "in", "inputs", 1),
        ("const double *", "w", "outputs", 0),
        ("double *", "g", "inputs", 0),
    ],
}


class Device(Program):
    """Program `number` of a seed; always the same."""

    device = True

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed, number, False, kind=":device", device=True)

    def root_place(self, r: random.Random) -> str:
        return "__device__ "

    def kernels(self, text: str, asked: Requests, prefix: str) -> str:
        """The requests for the device, and what the judge calls in their stead."""
        text = re.sub(r"^(\S+ )?(int \w+size) = ", r"__device__ \2 = ", text, flags=re.M)
        text = re.sub(r"^(\w[\w ]* __enzyme_\w+\()", r"__device__ \1", text, flags=re.M)
        made = []
        for name in re.findall(rf"^static void ({prefix}\w+)\(", text, flags=re.M):
            shape = name[len(prefix) :].split("_")[0]
            lanes = int((re.findall(r"_(\d)$", name) or ["1"])[0])
            parameters = SHAPES[shape]
            sizes = [getattr(asked, count) * (times or lanes) for _, _, count, times in parameters]
            declared = ", ".join(f"{type}{n}" for type, n, _, _ in parameters)
            names = [n for _, n, _, _ in parameters]
            text = text.replace(f"static void {name}(", f"static __device__ void {name}_on(")
            copies = " ".join(f"double *d_{n} = fz_to({n}, {size});" for n, size in zip(names, sizes))
            back = " ".join(
                f"fz_from({n}, d_{n}, {size});" if not type.startswith("const") else f"cudaFree(d_{n});"
                for (type, n, _, _), size in zip(parameters, sizes)
            )
            made.append(
                f"static __global__ void {name}_kernel({declared}) {{ {name}_on({', '.join(names)}); }}\n"
                f"static void {name}({declared}) {{ {copies} {name}_kernel<<<1, 1>>>({', '.join(f'd_{n}' for n in names)}); cudaDeviceSynchronize(); {back} }}\n"
            )
        head, table = (
            text[: text.rindex("static const struct fz_program")],
            text[text.rindex("static const struct fz_program") :],
        )
        # What is constant is the device's as well, which has not the host's functions.
        return head + "".join(made) + table.replace("static const struct", "static struct", 1)
