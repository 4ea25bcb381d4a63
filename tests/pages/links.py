"""Every relative link of every page leads to a file of the tree, and its anchor to a heading there. Exit status 1 names those that do not."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|^    [^\n]*$", re.M | re.S)


def pages() -> list[Path]:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True
    )
    found = (
        listed.stdout.split()
        if listed.returncode == 0
        else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*.md") if "build" not in p.parts]
    )
    return [ROOT / name for name in found]


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as they are made of them where it is shown."""
    heads = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head) for head in heads]
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in plain}


def broken(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for target in LINK.findall(CODE.sub("", page.read_text())):
        name, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            continue
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            yield target


def main() -> int:
    found = pages()
    wrong = [f"{page.relative_to(ROOT)}: {target}" for page in found for target in broken(page)]
    print(*wrong, sep="\n")
    print(f"{len(found)} pages, {len(wrong)} links lead nowhere")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
