"""One file here = one `nodealer bench NAME`; nothing to register. Same shape as a command: `add`, `run`.

Figures stand beside what the machine itself needs for the same work, so that runs on different machines compare.
"""
