"""A C or C++ source as tokens: where its functions, statements and expressions are, and edits of them.

No parser: what is not recognized is not mutated, and a mutant that does not compile costs a second.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<directive>^\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<string>R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>(?:0[xX][0-9a-fA-F']+|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark><<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)""",
    re.X | re.S | re.M,
)
CLOSES = {"(": ")", "[": "]", "{": "}"}
NO_CALL = {"if", "for", "while", "switch", "catch", "return", "sizeof", "alignof", "decltype", "defined"}


@dataclass
class Token:
    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)


@dataclass
class Span:
    """A piece of the text, [at, end)."""

    at: int
    end: int
    kind: str = ""


class Source:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            Token(m.lastgroup or "", m.group(), m.start())
            for m in TOKEN.finditer(text)
            if m.lastgroup not in ("space", "directive")
        ]
        self.partner = self._partners()
        self.functions = self._functions()

    def _partners(self) -> dict[int, int]:
        """Index of the closing bracket of each opening one, and back."""
        partner, stack = {}, []
        for i, t in enumerate(self.tokens):
            if t.kind != "mark":
                continue
            if t.text in CLOSES:
                stack.append(i)
            elif t.text in CLOSES.values() and stack:
                j = stack.pop()
                partner[i], partner[j] = j, i
        return partner

    def _functions(self) -> list[tuple[str, int, int]]:
        """(name, index of '{', index of '}') of each function body; innermost bodies of lambdas not among them."""
        found = []
        for i, t in enumerate(self.tokens):
            if t.text != "{" or i not in self.partner:
                continue
            j = i - 1
            while j > 0 and self.tokens[j].text in ("const", "noexcept", "override", "final", "mutable"):
                j -= 1
            if j <= 0 or self.tokens[j].text != ")" or j not in self.partner:
                continue
            k = self.partner[j] - 1
            if k >= 0 and self.tokens[k].kind == "name" and self.tokens[k].text not in NO_CALL:
                found.append((self.tokens[k].text, i, self.partner[i]))
        # A constructor's initializers look like calls; a body inside a body is a local class's.
        return [f for f in found if not any(g[1] < f[1] and f[2] < g[2] for g in found)]

    def body(self, name: str) -> Span | None:
        for n, i, j in self.functions:
            if n == name:
                return Span(self.tokens[i].at, self.tokens[j].end)
        return None

    def whole_function(self, name: str) -> Span | None:
        """The text of a function with its declaration, or None."""
        for n, i, j in self.functions:
            if n != name:
                continue
            k = i
            while k > 0 and not (self.tokens[k - 1].text in (";", "}", "{") and self.depth(k - 1) == 0):
                k -= 1
            return Span(self.tokens[k].at, self.tokens[j].end)
        return None

    def depth(self, index: int) -> int:
        """How many brackets are open after token `index`."""
        open_ = 0
        for t in self.tokens[: index + 1]:
            if t.kind == "mark" and t.text in CLOSES:
                open_ += 1
            elif t.kind == "mark" and t.text in CLOSES.values():
                open_ -= 1
        return open_

    def inside(self, spans: list[Span]) -> list[int]:
        """Indices of the tokens within any of the spans."""
        return [i for i, t in enumerate(self.tokens) if any(s.at < t.at and t.end < s.end for s in spans)]

    def statements(self, spans: list[Span]) -> list[Span]:
        """Simple statements within spans: those that end with ';', with no brace and no declaration's look."""
        found = []
        for span in spans:
            start = None
            for i in self.inside([span]):
                t = self.tokens[i]
                if t.text in ("{", "}", ":") or (t.text == ")" and self._ends_head(i)) or t.text in ("else", "do"):
                    start = i + 1
                elif t.text == ";":
                    if start is not None and not self._in_parentheses(i, span):
                        if start < i:
                            found.append(Span(self.tokens[start].at, t.end, self._kind(start, i)))
                        start = i + 1
                elif start is None:
                    start = i
        return [s for s in found if "{" not in self.text[s.at : s.end]]

    def _ends_head(self, i: int) -> bool:
        j = self.partner.get(i, 0) - 1
        return j >= 0 and self.tokens[j].text in ("if", "for", "while", "switch", "catch")

    def _in_parentheses(self, i: int, span: Span) -> bool:
        return any(
            t.text == "(" and j in self.partner and j < i < self.partner[j] and span.at < t.at
            for j, t in enumerate(self.tokens)
        )

    def _kind(self, start: int, end: int) -> str:
        words = [t.text for t in self.tokens[start:end]]
        if words[0] in ("return", "break", "continue", "goto", "case", "default", "using", "typedef", "throw"):
            return words[0]
        if any(w in ("static", "constexpr", "extern") for w in words[:2]):
            return "static"
        first = self.tokens[start : start + 2]
        declares = (
            len(first) == 2
            and first[0].kind == "name"
            and (first[1].kind == "name" or first[1].text in ("*", "&", "<", "::"))
        )
        return "declaration" if declares and "(" != words[1] else "plain"

    def expressions(self, spans: list[Span]) -> list[Span]:
        """Expressions whose value is used: after return, =, op=, and arguments of calls."""
        found = []
        for i in self.inside(spans):
            t = self.tokens[i]
            if t.text == "return" or (t.text in ("=", "+=", "-=", "*=", "/=") and t.kind == "mark"):
                end = self._until(i + 1, (";", ","))
                if end is not None and end > i + 1 and not self._static(i):
                    found.append(Span(self.tokens[i + 1].at, self.tokens[end - 1].end, "value"))
            elif (
                t.text == "("
                and i
                and self.tokens[i - 1].kind == "name"
                and self.tokens[i - 1].text not in NO_CALL
                and i in self.partner
            ):
                if i > 1 and (
                    self.tokens[i - 2].kind == "name"
                    and self.tokens[i - 2].text not in ("return", "else")
                    or self.tokens[i - 2].text in ("*", "&", ">")
                ):
                    continue  # looks like a declaration
                start = i + 1
                while start < self.partner[i]:
                    end = self._until(start, (",", ")"))
                    if end is None or end <= start:
                        break
                    found.append(Span(self.tokens[start].at, self.tokens[end - 1].end, "argument"))
                    start = end + 1
        return [s for s in found if self._worth(s)]

    def _static(self, i: int) -> bool:
        """Is the statement of token i one whose initializer must be constant, or no statement at all?"""
        while i > 0 and self.tokens[i - 1].text not in (";", "{", "}"):
            i -= 1
            if self.tokens[i].text in ("static", "constexpr", "typedef", "using", "enum", "for", "[", "operator"):
                return True
        return False

    def _until(self, i: int, ends: tuple[str, ...]) -> int | None:
        """The first token from i on that is one of `ends` outside brackets, or None."""
        while i < len(self.tokens):
            t = self.tokens[i]
            if t.kind == "mark":
                if t.text in ends or t.text in CLOSES.values():
                    return i
                if t.text in CLOSES:
                    if i not in self.partner:
                        return None
                    i = self.partner[i]
            i += 1
        return None

    def _worth(self, span: Span) -> bool:
        text = self.text[span.at : span.end]
        if len(text) > 200 or text.startswith(("{", "&", '"', "new ", "(void", "nullptr", "NULL")) or '"' in text:
            return False
        # A lone name may be anything; a declared number is one.
        if re.fullmatch(r"\w+", text) and not re.search(rf"\b(?:double|float) (?:\w+ = [^;]*, )?{text}\b", self.text):
            return False
        return bool(re.search(r"[A-Za-z_]", text)) and not re.search(
            r"malloc|calloc|\[[&=]?\]|__enzyme|enzyme_|sizeof|alloca|<|>|{|}", text
        )

    def replace(self, edits: list[tuple[Span, str]]) -> str:
        """The text with [(span, new text)] applied; spans do not overlap."""
        out, at = [], 0
        for span, new in sorted(edits, key=lambda e: e[0].at):
            out += [self.text[at : span.at], new]
            at = span.end
        return "".join(out) + self.text[at:]
