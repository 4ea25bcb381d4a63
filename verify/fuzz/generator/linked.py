"""Programs of two files that the linker makes one (-flto), with functions whose derivatives are registered: in the file that asks, or beside the function.

What such a function computes moves in steps that are too small to see, so its own code has a derivative of zero. Its registered one is that of what the steps
follow: where a registration is lost, the derivative is wrong."""

import random

from .program import Generator, Program
from .scope import Function
from .tree import Piece

SHAPES = [
    ("sin(a) * cos(b)", "cos(a) * cos(b)", "-(sin(a) * sin(b))"),
    ("tanh(a) * cos(b)", "(1 - tanh(a) * tanh(a)) * cos(b)", "-(tanh(a) * sin(b))"),
    ("0.5 * a * b", "0.5 * b", "0.5 * a"),
    ("sin(a + 0.5 * b)", "cos(a + 0.5 * b)", "0.5 * cos(a + 0.5 * b)"),
]


class Linked(Program):
    """Program `number` of a seed; always the same. `apart` is what the file that asks has of it, `declared` what it must know."""

    linked = True

    def __init__(self, seed: int, number: int, cxx: bool) -> None:
        self.choice = random.Random(f"{seed}:{number}:linked")
        self.apart, self.declared = [], []
        super().__init__(seed, number, cxx, kind=":linked")

    def before_functions(self, g: Generator) -> None:
        for k in range(self.choice.choice([1, 1, 2])):
            self.own(g, f"own{k}")

    def own(self, g: Generator, name: str) -> None:
        r = self.choice
        value, by_a, by_b = r.choice(SHAPES)
        inline = r.choice(["", "", "NOINLINE "])
        defined = f"{inline}double @{name}(double a, double b) {{ return floor({value} * 0x1p40) * 0x1p-40; }}\n"
        declaration = f"double @{name}(double, double);\n"
        registered = self.registration(g, name, by_a, by_b)
        where = r.choice(["apart", "apart", "beside", "defined apart"])
        if where == "defined apart":
            g.pieces.append(Piece("", declaration))
            self.apart.append(defined + registered)
        else:
            g.pieces.append(Piece("", defined if where == "apart" else defined + registered))
            self.apart.append(declaration + (registered if where == "apart" else ""))
        g.functions.append(Function(name, "scalar", "double", count=2))

    @staticmethod
    def registration(g: Generator, name: str, by_a: str, by_b: str) -> str:
        two, both = g.tag(f"{name}_two"), g.tag(f"{name}_both")
        return (
            f"struct @{name}_two {{ double a, b; }};\nstruct @{name}_both {{ double value, tangent; }};\n"
            f"static double @{name}_forward(double a, double b) {{ return @{name}(a, b); }}\n"
            f"static {two} @{name}_reverse(double a, double b, double seed) {{ {two} g = {{seed * ({by_a}), seed * ({by_b})}}; return g; }}\n"
            f"static {both} @{name}_tangent(double a, double da, double b, double db) {{ {both} t = {{@{name}(a, b), da * ({by_a}) + db * ({by_b})}}; return t; }}\n"
            f"void *__enzyme_register_gradient_@{name}[] = {{(void *)@{name}, (void *)@{name}_forward, (void *)@{name}_reverse}};\n"
            f"void *__enzyme_register_derivative_@{name}[] = {{(void *)@{name}, (void *)@{name}_tangent}};\n"
        )

    def root_place(self, r: random.Random) -> str:
        return ""

    def root_struct(self, g: Generator, r: random.Random) -> None:
        return None

    def request_text(self, prefix: str) -> str:
        """What stands before the requests in the file that asks."""
        parameters = [f"{type} *" for _, type, _ in self.arrays] + ([self.scalar] if self.scalar else []) + ["int"]
        return "".join([*self.apart, f"{self.returns} @root({', '.join(parameters)});\n"]).replace("@", prefix)
