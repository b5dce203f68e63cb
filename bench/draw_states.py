"""Draws the tables in p2p/PROTOCOL.md anew from the code: python bench/draw_states.py

tests/p2p/test_protocol_page.py fails until this has been run after a change of the tables.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from p2p.drawing import redraw  # noqa: E402

if __name__ == "__main__":
    page = ROOT / "p2p" / "PROTOCOL.md"
    page.write_text(redraw(page.read_text()))
