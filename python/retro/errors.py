"""What can go wrong between a source file and its derivative. Wrong arguments of a call are TypeError and ValueError, as anywhere in Python."""

import linecache
import re
from dataclasses import dataclass


class RetroError(Exception):
    """The base of all others."""


class ToolError(RetroError):
    """The compiler or the plugin is missing."""


class SignatureError(RetroError):
    """The function cannot be called from Python as it is declared."""


class ForeignException(RetroError):
    """C++ code threw an exception; the text is what its what() said."""


class CompileError(RetroError):
    """The source does not compile. `output` is all that the compiler said."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.output = output


@dataclass(frozen=True)
class Diagnostic:
    """An error of the engine; docs/diagnostics.md lists the ids."""

    id: str
    message: str
    file: str
    line: int


class DifferentiationError(CompileError):
    """The engine does not differentiate the function, and says why: `diagnostics` are its errors, `output` is all that was printed."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.diagnostics = diagnostics(output)


ENGINE_ERROR = re.compile(r"^(?:(.+?):(\d+):(?:\d+:)? )?(?:fatal )?error: (.*\[retro-([a-z0-9-]+)\].*)$", re.MULTILINE)


def diagnostics(output: str) -> list[Diagnostic]:
    """The engine's errors in what the compiler printed."""
    return [Diagnostic(m[4], m[3], m[1] or "", int(m[2] or 0)) for m in ENGINE_ERROR.finditer(output)]


PLACE = r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+)"
OURS = re.compile(r"^<code of retro>:\d+:\d+: (?P<kind>(?:fatal )?error: .*)$")
TRUE_PLACE = re.compile(rf".*note: could not determine the original source location for {PLACE}$")
QUOTED = re.compile(r"^ *\d* \|")


def readable(output: str) -> str:
    """What the compiler printed, without what it says of our own code. It cannot show a place in the source, which it was given as text; we can."""
    lines, kept = [
        line for line in output.splitlines() if not re.fullmatch(r"\d+ (?:error|warning)s? generated\.", line)
    ], []
    ours = None  # the last error that seemed to be in our code, until its true place is known
    quoting = False  # what follows shows a line of our code
    for line in lines:
        if quoting and QUOTED.match(line):
            continue
        error, place = OURS.match(line), TRUE_PLACE.match(line)
        quoting = "<code of retro>" in line
        if error:
            ours = len(kept)
            kept.append(error["kind"])
        elif place and ours is not None:
            kept[ours] = f"{place['file']}:{place['line']}:{place['column']}: {kept[ours]}"
            kept[ours + 1 : ours + 1] = shown(place)
            ours = None
        elif not quoting:
            kept.append(line)
    return "\n".join(kept)


def shown(place: re.Match[str]) -> list[str]:
    """The line of the source at a place, as the compiler shows it."""
    text = linecache.getline(place["file"], int(place["line"])).rstrip("\n")
    return [f"{place['line']:>5} | {text}"] if text else []


def compile_error(output: str) -> CompileError | DifferentiationError:
    output = readable(output)
    return DifferentiationError(output) if diagnostics(output) else CompileError(output)
