"""Runs the tests of one module of this folder with a plugin, and a cache that begins empty. Exit status 77 where a module is missing."""

import argparse
import importlib.util
import os
import sys
import tempfile
import unittest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--needs", action="append", default=[], help="skip if this module is missing (repeatable)")
    args = parser.parse_args()
    for name in [*args.needs, *(["torch"] if args.module == "test_torch" else [])]:
        if not importlib.util.find_spec(name):
            print(f"skipped: Python's module {name} is not installed")
            return 77
    sys.dont_write_bytecode = True
    os.environ |= {"RETRO_PLUGIN": args.plugin, "RETRO_CLANG": args.clang, "RETRO_CLANGXX": args.clangxx}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RETRO_CACHE"] = cache
        return not unittest.main(
            f"tests.python.{args.module}", argv=[sys.argv[0], "--verbose"], exit=False
        ).result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
