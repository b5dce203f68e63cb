"""One file here = one `nodealer bench NAME`, listed in cli/commands/bench.py. Same shape as a command: `add`, `run`.

Figures stand beside what the machine itself needs for the same work, so that runs on different machines compare.
"""
