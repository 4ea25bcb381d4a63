"""Opens results/report.html, drawn from invented rows, in headless Chromium, and uses it as a reader would.

Exit status 77, with the reason, where Chromium, its driver or selenium is missing."""

import argparse
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "tests" / "unit")]
SKIPPED = 77
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
VALUES = """
const table = arguments[0], column = arguments[1];
return [...table.tBodies[0].rows].map(r => r.cells[column].dataset.v).map(v => v === "" ? null : Number(v));
"""


def results(folder):
    """Rows of two benchmarks, two studies that were run, one cell that failed."""
    import support
    from test_intervals import around, timed

    from ablation import failures, study, study_report

    measured = []
    for benchmark, middle in (("gmm", 3.0), ("ba", 5.0), ("fft", 2.0), ("lstm", 2.5)):
        for setting, factor in (("all-on", 1), ("no-preopt", 4.0), ("no-first", 1.5), ("no-second", 1.0), ("all-off", 9.0)):
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
    cells = [type("Cell", (), {"key": row["cell"]}) for row in measured]
    plan = [(study.read(name), cells) for name in ("neurips20-ablation", "neurips20-before-after", "neurips20-overhead")]
    study_report.remember(folder, plan, {}, {"date": "TEST DATA"})
    return support.TOGGLES


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
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

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.scratch.cleanup()

    def js(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def test_1_no_error_and_nothing_is_fetched(self):
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

    def test_2_every_figure_is_seen(self):
        sizes = self.js(
            "return [...document.images].map(i => [i.complete, i.naturalWidth, i.getBoundingClientRect().width, i.alt])"
        )
        self.assertGreaterEqual(len(sizes), 3)
        for complete, natural, shown, alt in sizes:
            self.assertTrue(complete and natural > 300 and shown > 300 and alt, (natural, shown, alt))

    def test_3_a_click_on_a_heading_sorts(self):
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

    def test_4_texts_are_sorted_too(self):
        table = self.browser.find_elements("tag name", "table")[-1]
        head = table.find_element("css selector", "thead th button")
        head.click()
        first = "return [...arguments[0].tBodies[0].rows].map(r => r.cells[0].textContent)"
        up = self.js(first, table)
        head.click()
        self.assertEqual(self.js(first, table), up[::-1])
        self.assertEqual(self.js("return arguments[0].closest('th').getAttribute('aria-sort')", head), "descending")

    def test_5_failures_and_what_is_not_measured_are_told(self):
        text = self.js("return document.body.innerText")
        if PAGE is None:
            self.assertIn("wrong gradient", text)
            self.assertIn("gradient is wrong at tiny <by> 5 & more", text)
            self.assertIn("never applied", text)
        self.assertIn("Verification verdicts", text)
        self.assertIn("What each optimization does", text)

    def test_6_every_link_of_the_contents_leads_somewhere(self):
        lost = self.js(
            "return [...document.querySelectorAll('nav a')].filter(a => !document.getElementById(a.hash.slice(1)))"
            ".map(a => a.hash)"
        )
        self.assertEqual(lost, [])
        self.assertEqual(self.js("const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
                                 "return ids.length - new Set(ids).size"), 0)  # fmt: skip

    def test_7_it_is_readable_on_a_phone(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        try:
            self.assertEqual(self.js("return window.innerWidth"), PHONE["width"])
            # Tables and figures scroll by themselves; the page does not.
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), PHONE["width"])
            sizes = self.js(
                "return [...document.querySelectorAll('p, li, td, th, h1, h2, h3')]"
                ".map(e => parseFloat(getComputedStyle(e).fontSize))"
            )
            self.assertGreaterEqual(min(sizes), 14)
            if SHOTS:
                self.browser.save_screenshot(str(SHOTS / "phone.png"))
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        if SHOTS:
            self.browser.set_window_size(1200, 2400)
            self.browser.save_screenshot(str(SHOTS / "page.png"))
        self.assertEqual(self.browser.get_log("browser"), [])


def missing():
    """What is not installed, or None."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed"
    try:
        import selenium  # noqa: F401
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
