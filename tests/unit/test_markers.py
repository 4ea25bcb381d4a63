"""docs/markers.md has every name of the calling convention, once, and no other."""

import re
import unittest
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "markers.md").read_text()
FRONT = ROOT / "engine" / "front"
# The comments at their heads say what the columns are.
MARKERS = (FRONT / "requests" / "markers.def").read_text().split("#endif")[-1]
CONVENTION = (FRONT / "known" / "entry_points.def").read_text().split("#endif")[-1]


def names(text: str, pattern: str) -> set[str]:
    return {
        name
        for found in re.findall(pattern, text)
        for name in (found if isinstance(found, tuple) else (found,))
        if name
    }


def first_cells(section: str) -> list[str]:
    """The names in the first column below a heading, in order."""
    body = PAGE.split(f"## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)`", body, re.M)


def header(name: str) -> str:
    return (ROOT / "engine" / "include" / "retrograde" / name).read_text()


class Markers(unittest.TestCase):
    def check(self, listed: Collection[str], known: Collection[str]) -> None:
        self.assertEqual(len(listed), len(set(listed)), "a name stands twice")
        self.assertEqual(set(listed), known)

    def markers(self) -> list[str]:
        return first_cells("Before an argument") + first_cells("Before all arguments")

    def test_engine(self) -> None:
        spoken = {
            f"enzyme_{name}" for kind, name in re.findall(r'^(\w+)\("(\w+)"', MARKERS, re.M) if kind != "INTERNAL"
        }
        self.assertGreater(len(spoken), 15)
        self.check(self.markers(), spoken)

    def test_headers(self) -> None:
        self.assertLessEqual(names(header("retrograde.h"), r"extern int (\w+);"), set(self.markers()))
        self.assertLessEqual(names(header("retrograde.f90"), r":: (enzyme_\w+)"), set(self.markers()))

    def test_entry_points(self) -> None:
        known = names(CONVENTION, r'(?:ENTRY\(\w+, |SPARSE_SHADOW\()"(__enzyme_\w+)"')
        self.assertGreater(len(known), 8)
        self.check(first_cells("Entry points"), known)
        formats = names(CONVENTION, r'FORMAT\(\w+, "(__enzyme_\w+)"')
        self.check(first_cells("Other formats of numbers"), formats)
        # Behind the name stands what tells declarations of other types apart.
        for declared in names(header("retrograde.h"), r"(__enzyme_[a-z_]+)"):
            self.assertTrue(any(declared == name or declared.startswith(name + "_") for name in known), declared)

    def test_sayings(self) -> None:
        self.check(first_cells("In the differentiated code"), names(CONVENTION, r'SAYING\(\w+, "(__enzyme_\w+)"'))

    def test_registrations(self) -> None:
        known = re.findall(r'REGISTRATION\(\w+, "(__enzyme_\w+)",\s*"(\w*)"\)', CONVENTION)
        section = PAGE.split("## Around a function or a variable\n")[1].split("\n## ")[0]
        listed = re.findall(r"^\| `(\w+)` \| (?:`(\w+)`)? *\|", section, re.M)
        self.assertEqual(sorted(listed), sorted(known))

    def test_own(self) -> None:
        known = names(header("checkpoint.h"), r"\b(retro_\w+)\(") | names(
            header("kernels.h"), r"#define (RETRO_[A-Z]+) "
        )
        known |= names(CONVENTION, r'OWN_ERROR\("(\w+)"')
        self.check(first_cells("Retrograde's own"), known)

    def test_types(self) -> None:
        text = "".join(
            path.read_text() for path in (ROOT / "engine" / "include" / "retrograde" / "detail").glob("*.hpp")
        )
        table = PAGE.split("## Before an argument\n")[1].split("## Around")[0]
        shown = {
            name for row in re.findall(r"^\| `.*\| ([^|]*) \|$", table, re.M) for name in re.findall(r"`(\w+)", row)
        }
        self.assertGreater(len(shown), 8)
        for name in shown:
            self.assertRegex(text, rf"\b(struct|using|auto|constexpr \w+) +{name}\b|\b{name}\(", name)


if __name__ == "__main__":
    unittest.main()
