"""Opens results/report.html, drawn from invented rows, in headless Chromium, and uses it as a reader would.

Exit status 77, with the reason, where Chromium, its driver or selenium is missing."""

import argparse
import base64
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tools.retrolib.toggles import Toggle

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
SCREENS = {
    "phone": {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True},
    "desktop": {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False},
}
SHADES = ("light", "dark")
LARGEST = 1_000_000  # bytes of the page of what was measured
VALUES = """
const table = arguments[0], column = arguments[1];
return [...table.tBodies[0].rows].map(r => r.cells[column].textContent).map(v => v === "–" ? null : Number(v.split(" ")[0]));
"""
# Texts that lie on another text of their figure or leave it; blocks of text that lie on another one or are cut. Letters do not fill their
# boxes: a quarter of the height and two pixels of the width may be shared.
COLLISIONS = """
const found = [];
const named = (e) => (e.textContent || "").trim().slice(0, 40);
const touch = (a, b, slack) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack * Math.min(a.height, b.height);
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((e) => [e, e.getBoundingClientRect()]).filter(([e, r]) => r.width > 0);
  texts.forEach(([e, r], i) => {
    if (r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1)
      found.push(["leaves its figure", svg.getAttribute("aria-label"), named(e)]);
    for (const [other, s] of texts.slice(i + 1))
      if (touch(r, s, 0.25)) found.push(["overlap", svg.getAttribute("aria-label"), named(e), named(other)]);
  });
}
const blocks = [...document.querySelectorAll("h1, h2, h3, p, li, summary, figure, .table")].map((e) => [e, e.getBoundingClientRect()])
  .filter(([e, r]) => r.width > 0);
blocks.forEach(([e, r], i) => {
  if (r.left < -1 || r.right > document.documentElement.clientWidth + 1) found.push(["leaves the page", named(e)]);
  if (!e.matches("figure, .table") && e.scrollWidth > e.clientWidth + 1) found.push(["is cut", named(e)]);
  for (const [other, s] of blocks.slice(i + 1))
    if (!e.contains(other) && touch(r, s, 0.1)) found.push(["overlap", named(e), named(other)]);
});
for (const cell of document.querySelectorAll("td, th"))
  if (cell.scrollWidth > cell.clientWidth + 1) found.push(["is cut", named(cell)]);
return found;
"""
# The least contrast of a letter to what is behind it, as WCAG defines it. A heat map's letters are on cells, drawn before them.
CONTRAST = """
const light = (rgb) => { const [r, g, b] = rgb.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
  .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const paper = getComputedStyle(document.body).backgroundColor, found = [];
for (const e of document.querySelectorAll("svg text")) {
  const r = e.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
  if (!r.width) continue;
  const under = [...e.closest("svg").querySelectorAll("path")].filter((p) => getComputedStyle(p).fill !== "none").filter((p) => {
    const q = p.getBoundingClientRect(); return q.left <= x && x <= q.right && q.top <= y && y <= q.bottom; }).pop();
  found.push([ratio(getComputedStyle(e).fill, under ? getComputedStyle(under).fill : paper), e.textContent]);
}
for (const e of document.querySelectorAll("p, li, a, h1, h2, summary, th button")) found.push([ratio(getComputedStyle(e).color, paper), e.textContent.slice(0, 40)]);
return found.sort((a, b) => a[0] - b[0]).slice(0, 5);
"""


def results(folder: Path) -> list[Toggle]:
    """Rows of two benchmarks, two studies that were run, one cell that failed."""
    from ablation import failures, study, study_report
    from tests.unit import support
    from tests.unit.test_intervals import around, timed

    measured = []
    for benchmark, middle in (("gmm", 3.0), ("ba", 5.0), ("fft", 2.0), ("lstm", 2.5)):
        for setting, factor in (
            ("all-on", 1),
            ("no-preopt", 4.0),
            ("no-first", 1.5),
            ("no-second", 1.0),
            ("all-off", 9.0),
        ):
            row = timed(around(middle * factor, seed=len(measured)), benchmark=benchmark, setting=setting, hand=2.0)
            row["counters"] = {"first": 7, "second": 0}
            row["verdicts"] = [
                {"column": "gradient", "size": "tiny", "check": "central differences", "outcome": "passed",
                 "error": 1e-9, "tolerance": 1e-6, "detail": ""}
            ]  # fmt: skip
            row["digest"] = "00000000deadbeef"
            measured.append(row)
    wrong = measured[-1]
    wrong.update(status="failed", failure=failures.WRONG, reason="gradient is wrong at tiny <by> 5 & more")
    del wrong["columns"]["gradient"]
    (folder / "rows").mkdir(parents=True)
    for row in measured:
        (folder / "rows" / f"{row['cell']}.json").write_text(json.dumps(row))
    cells: list[Any] = [type("Cell", (), {"key": row["cell"]}) for row in measured]
    plan = [
        (study.read(name), cells) for name in ("neurips20-ablation", "neurips20-before-after", "neurips20-overhead")
    ]
    study_report.remember(folder, plan, {}, {"date": "TEST DATA"})
    return support.TOGGLES


class Page(unittest.TestCase):
    scratch: tempfile.TemporaryDirectory[str]
    file: Path
    browser: Any  # selenium's

    @classmethod
    def setUpClass(cls) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        from ablation.html import page

        cls.scratch = tempfile.TemporaryDirectory()
        folder = Path(cls.scratch.name)
        cls.file = PAGE
        if cls.file is None:
            toggles = results(folder / "test-machine")
            cls.file = folder / "report.html"
            page.write(cls.file, [folder / "test-machine"], toggles)
        options = Options()
        profile = f"--user-data-dir={folder / 'profile'}"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        cls.browser.get(cls.file.resolve().as_uri())
        cls.unfold(True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.quit()
        cls.scratch.cleanup()

    @classmethod
    def unfold(cls, opened: bool) -> None:
        cls.browser.execute_script("document.querySelectorAll('details').forEach(e => e.open = arguments[0])", opened)

    def js(self, text: str, *arguments: object) -> Any:
        return self.browser.execute_script(text, *arguments)

    def test_1_no_error_and_nothing_is_fetched(self) -> None:
        self.assertEqual(self.browser.get_log("browser"), [])
        requests = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        # Requests of this page only: the browser's own first page has others.
        fetched = {
            message["params"]["request"]["url"][:100]
            for message in requests
            if message["method"] == "Network.requestWillBeSent"
            and message["params"]["documentURL"].endswith(self.file.name)
        }
        self.assertEqual(len({url for url in fetched if not url.startswith("data:")}), 1)

    def test_2_every_figure_is_seen(self) -> None:
        found = self.js(
            "return [...document.querySelectorAll('figure svg')].map(s => [s.getBoundingClientRect().width, s.getBoundingClientRect().height,"
            " s.querySelectorAll('text').length, s.getAttribute('aria-label')])"
        )
        self.assertGreaterEqual(len(found), 3)
        for width, height, texts, label in found:
            self.assertTrue(width > 300 and height > 100 and texts > 3 and label, (width, height, texts, label))
        # The first screen is the overhead, drawn and told.
        self.assertLess(
            self.js("return document.querySelector('figure svg').getBoundingClientRect().top + scrollY"), 400
        )
        self.assertIn("Retrograde is a plugin", self.js("return document.querySelector('.lead').innerText"))

    def test_3_a_click_on_a_heading_sorts(self) -> None:
        sorted_tables = 0
        for table in self.browser.find_elements("tag name", "table"):
            heads = table.find_elements("css selector", "thead th button")
            for column, head in enumerate(heads):
                values = self.js(VALUES, table, column)
                if None in values and len(set(values)) == 1 or any(v != v for v in values if v is not None):
                    continue
                if len({v for v in values if v is not None}) < 2 or sorted_tables > 12:
                    continue
                for down in (False, True):
                    head.click()
                    found = self.js(VALUES, table, column)
                    known = [v for v in found if v is not None]
                    self.assertEqual(known, sorted(known, reverse=down))
                    self.assertEqual(found[len(known) :], [None] * (len(found) - len(known)))
                    self.assertEqual(sorted(known), sorted(v for v in values if v is not None))
                sorted_tables += 1
        self.assertGreater(sorted_tables, 4)

    def test_4_texts_are_sorted_too(self) -> None:
        table = self.browser.find_elements("tag name", "table")[-1]
        head = table.find_element("css selector", "thead th button")
        head.click()
        first = "return [...arguments[0].tBodies[0].rows].map(r => r.cells[0].textContent)"
        up = self.js(first, table)
        head.click()
        self.assertEqual(self.js(first, table), up[::-1])
        self.assertEqual(self.js("return arguments[0].closest('th').getAttribute('aria-sort')", head), "descending")

    def test_5_failures_and_what_is_not_measured_are_told(self) -> None:
        text = self.js("return document.body.innerText")
        if PAGE is None:
            self.assertIn("wrong gradient", text)
            self.assertIn("gradient is wrong at tiny <by> 5 & more", text)
            self.assertIn("never applied", text)
        self.assertIn("All rows", text)
        self.assertIn("What each optimization does", text)

    def test_6_every_link_of_the_contents_leads_somewhere(self) -> None:
        lost = self.js(
            "return [...document.querySelectorAll('nav a')].filter(a => !document.getElementById(a.hash.slice(1)))"
            ".map(a => a.hash)"
        )
        self.assertEqual(lost, [])
        self.assertEqual(self.js("const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
                                 "return ids.length - new Set(ids).size"), 0)  # fmt: skip

    def test_7_no_text_overlaps_or_leaves_its_box(self) -> None:
        """On a phone and on a desktop, light and dark. Tables and figures scroll by themselves; the page does not."""
        for name, screen in SCREENS.items():
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
            for shade in SHADES:
                with self.subTest(screen=name, shade=shade):
                    self.look(name, shade, screen["width"])
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.assertEqual(self.browser.get_log("browser"), [])

    def look(self, name: str, shade: str, width: float) -> None:
        media = {"features": [{"name": "prefers-color-scheme", "value": shade}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.assertEqual(self.js("return window.innerWidth"), width)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width)
        self.assertEqual(self.js(COLLISIONS), [])
        self.assertGreaterEqual(min(found[0] for found in self.js(CONTRAST)), 3, self.js(CONTRAST))
        dark = self.js("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")
        self.assertEqual(dark, shade == "dark")
        sizes = self.js(
            "return [...document.querySelectorAll('p, li, td, th, h1, h2, h3')]"
            ".map(e => parseFloat(getComputedStyle(e).fontSize))"
        )
        self.assertGreaterEqual(min(sizes), 14)
        letters = self.js(
            "return [...document.querySelectorAll('svg text')].map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a)"
            ".filter(v => v > 0)"
        )
        self.assertGreaterEqual(min(letters, default=9), 8.5)
        if SHOTS:
            self.shoot(f"{name}-{shade}")

    def shoot(self, name: str) -> None:
        """The first screen, and the whole page with its tables folded."""
        self.unfold(False)
        self.js("scrollTo(0, 0)")
        self.browser.save_screenshot(str(SHOTS / f"{name}.png"))
        whole = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
        (SHOTS / f"{name}-whole.png").write_bytes(base64.b64decode(whole["data"]))
        self.unfold(True)

    def test_8_what_lies_on_another_text_is_found(self) -> None:
        self.js(
            "const t = document.querySelector('svg text'), copy = t.cloneNode(true); copy.id = 'copy'; t.after(copy)"
        )
        self.js(
            "const p = document.createElement('p'); p.id = 'wide'; p.style.minWidth = '3000px'; p.append('wide'); document.body.append(p)"
        )
        found = self.js(COLLISIONS)
        self.js("document.getElementById('copy').remove(); document.getElementById('wide').remove()")
        self.assertEqual({what for what, *_ in found}, {"overlap", "leaves the page"})

    def test_9_the_page_is_small(self) -> None:
        self.assertLess(self.file.stat().st_size, LARGEST)


def missing() -> str | None:
    """What is not installed, or None."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed"
    try:
        import selenium
    except ImportError:
        return "/usr/bin/python3 has no module selenium"
    return None


PAGE = SHOTS = None

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, help="this page instead of one of invented rows")
    parser.add_argument("--shots", type=Path, help="folder for screenshots")
    args = parser.parse_args()
    PAGE, SHOTS = args.page, args.shots
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], "--verbose"])
