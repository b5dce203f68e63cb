"""What all tests share: their processes leave nothing behind."""

from __future__ import annotations

from cli import tidy


def pytest_configure() -> None:
    tidy.at_exit()
