"""The tree of a generated program, and the edits that make it smaller.

A node is a list of parts, strings and nodes. `@` in a string stands for the program's prefix, so that many programs fit into one file. What a node
promises is what an edit has to keep: an expression has a type and a bound of its absolute value, an index is valid for every array it is used with."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Union

Part = Union[str, "Node"]
Way = tuple[int, ...]  # from a node to one below it: places among the parts
Edit = tuple[Any, ...]  # what is done, the way to the node, and what that needs


class Node:
    kind = "text"

    def __init__(self, *parts: Part) -> None:
        self.parts: list[Part] = list(parts)

    def text(self) -> str:
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)

    def children(self) -> list[Node]:
        return [p for p in self.parts if isinstance(p, Node)]


class Expr(Node):
    """A number of floating point; |value| <= bound."""

    kind = "expr"

    def __init__(self, type: str, bound: float, *parts: Part) -> None:
        super().__init__(*parts)
        self.type, self.bound = type, bound


class Index(Node):
    """An integer; 0 in its place is always valid."""

    kind = "index"


class Cond(Node):
    kind = "cond"


class Stmt(Node):
    kind = "stmt"


class Block(Node):
    """Statements, one after the other."""

    kind = "block"

    def text(self) -> str:
        return "{\n" + "".join(p.text() + "\n" for p in self.children()) + "}"


class File(Block):
    """All of a program."""

    def text(self) -> str:
        return "".join(p.text() for p in self.children())


class Piece(Node):
    """A function, a type, or a variable at file scope."""

    kind = "piece"

    def __init__(self, name: str, *parts: Part) -> None:
        super().__init__(*parts)
        self.name = name


def walk(node: Node, path: Way = ()) -> Iterator[tuple[Way, Node]]:
    """Every node below with the way to it."""
    yield path, node
    for at, part in enumerate(node.parts):
        if isinstance(part, Node):
            yield from walk(part, (*path, at))


def at(node: Node, path: Way) -> Node:
    for step in path:
        below = node.parts[step]
        if not isinstance(below, Node):
            raise IndexError(f"no node at {path}")
        node = below
    return node


def size(node: Node) -> int:
    return sum(1 for _ in walk(node))


def literal(type: str, number: float) -> Expr:
    return Expr(type, abs(number), f"{number}f" if type == "float" else f"{number}")


def smaller_blocks(root: Node) -> Iterator[Edit]:
    """Edits that delete statements of a block, many first; and those that put what a statement holds into its place."""
    blocks = [(path, node) for path, node in walk(root) if node.kind == "block"]
    width = max((len(node.parts) for _, node in blocks), default=0)
    while width >= 1:
        for path, node in blocks:
            for start in (
                range(len(node.parts) - width, -1, -1)
                if width < 3
                else range(max(len(node.parts) - width, 0), -1, -width)
            ):
                if len(node.parts) >= width:
                    yield ("delete", path, start, start + width)
        width //= 2
    for path, node in blocks:
        for k, statement in enumerate(node.children()):
            for inner, child in walk(statement):
                if child.kind == "block" and len(inner) <= 2:
                    yield ("hoist", path, k, inner)


def smaller_expressions(root: Node) -> Iterator[Edit]:
    for path, node in walk(root):
        if isinstance(node, Expr) and node.kind == "expr":
            if node.children() or len(node.text()) > 3:
                yield ("literal", path, 0.5)
            for inner, child in walk(node):
                if (
                    inner
                    and isinstance(child, Expr)
                    and child.kind == "expr"
                    and child.type == node.type
                    and child.bound <= node.bound
                ):
                    yield ("child", path, inner)
        elif node.kind == "index" and node.text() != "0":
            yield ("zero", path)
        elif node.kind == "cond" and node.text() not in ("0", "1"):
            yield ("condition", path, "1")
            yield ("condition", path, "0")


def apply(root: Node, edit: Edit) -> Node | None:
    """The tree after the edit; None if it does not fit any more."""
    root = copy.deepcopy(root)
    try:
        what, path, *rest = edit
        if what == "delete":
            del at(root, path).parts[rest[0] : rest[1]]
            return root
        if what == "hoist":
            block = at(root, path)
            block.parts[rest[0] : rest[0] + 1] = at(root, (*path, rest[0], *rest[1])).parts
            return root
        parent, here = at(root, path[:-1]), path[-1]
        node = parent.parts[here]
        if what == "literal":
            parent.parts[here] = literal(node.type, min(rest[0], node.bound))
        elif what == "child":
            parent.parts[here] = at(node, rest[0])
        elif what == "zero":
            parent.parts[here] = Index("0")
        elif what == "condition":
            parent.parts[here] = Cond(rest[0])
        return root
    except (IndexError, AttributeError):
        return None
