"""What the parts of a generator have of each other: each writes one kind of code, and Generator (program.py) is all of them."""

import random

from .scope import LIMIT, Function, Scope, Struct, Var
from .tree import Block, Cond, Expr, Index, Piece, Stmt


class Shared:
    """The state of a generator, and what one part asks another for."""

    random: random.Random
    cxx: bool
    parallel: bool
    within: bool  # a parallel region
    forms: bool
    device: bool
    on_device: str  # the attribute of the device's functions, or nothing
    single: bool
    count: int  # of names
    cost: int
    budget: int  # statements that may still be written
    structs: list[Struct]
    functions: list[Function]
    pieces: list[Piece]
    tables: list[str]
    used: set[str]
    derived: list[str]
    throwers: list[tuple[str, int]]  # and the length of array that they need

    # ---- values.py

    def index(self, scope: Scope, length: int) -> Index:
        raise NotImplementedError

    def condition(self, scope: Scope, depth: int = 1) -> Cond:
        raise NotImplementedError

    def name(self, function: str, type: str) -> str:
        raise NotImplementedError

    def element(self, scope: Scope, v: Var) -> Expr:
        raise NotImplementedError

    def some_type(self) -> str:
        raise NotImplementedError

    def positive(self, e: Expr, type: str) -> Expr:
        raise NotImplementedError

    @staticmethod
    def calls(e: Expr) -> bool:
        raise NotImplementedError

    def limited(self, e: Expr, limit: float) -> Expr:
        raise NotImplementedError

    def squash(self, e: Expr, limit: float) -> Expr:
        raise NotImplementedError

    def bounded(self, scope: Scope, depth: int, type: str, limit: float = LIMIT) -> Expr:
        raise NotImplementedError

    # ---- statements.py

    def fresh(self, letter: str) -> str:
        raise NotImplementedError

    def block(self, scope: Scope, low: int, high: int) -> Block:
        raise NotImplementedError

    def depth(self) -> int:
        raise NotImplementedError

    def place(self, scope: Scope, type: str | None = None) -> Expr | None:
        raise NotImplementedError

    def assign(self, scope: Scope) -> Stmt:
        raise NotImplementedError

    def fill_of(self, scope: Scope, name: str, type: str, length: int, count: str | None = None) -> Stmt:
        raise NotImplementedError

    def initializer(self, scope: Scope, struct: Struct) -> Expr:
        raise NotImplementedError

    # ---- functions.py

    def tag(self, name: str, keyword: str = "struct") -> str:
        raise NotImplementedError

    def call_value(self, scope: Scope, type: str) -> Expr | None:
        raise NotImplementedError

    def call_statement(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    # ---- parallel.py

    def parallel_loop(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def region(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def in_place(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    # ---- cxx.py

    def lambda_(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def range_for(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def vector(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def std_array(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def reference(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def swap(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def operators(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def virtual(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def template_call(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    # ---- forms.py

    def sized(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def chosen_bits(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def records(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def lanes(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def terms(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def listed(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def tagged(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def kept_rows(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def packed(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def ordered(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    def attempt(self, scope: Scope) -> Stmt | None:
        raise NotImplementedError

    # ---- device_values.py

    def device_call(self, e: Expr, type: str) -> Expr | None:
        raise NotImplementedError
