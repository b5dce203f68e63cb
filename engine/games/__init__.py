"""One complete game = one file in this folder, found by itself (see engine/shelf.py)."""
