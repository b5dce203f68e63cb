"""One file here = one command of `nodealer`; nothing to register.

To add a command `nodealer shout` drop a file `shout.py` into this folder (`two_words.py` becomes `two-words`):

    \"\"\"`nodealer shout TEXT`: says it loudly.\"\"\"

    from cli.output import add_json, emit

    def add(subparsers):                      # the command's name is the file's name
        parser = subparsers.add_parser("shout", help="say it loudly")
        parser.add_argument("text", metavar="TEXT", help="what to say")
        add_json(parser)                      # gives args.json

    def run(args) -> int:                     # 0 done, 1 failed, 2 wrong use
        emit({"text": args.text.upper()}) if args.json else print(args.text.upper())
        return 0

Raise `cli.output.Failed("One sentence.")` (exit code 1) or `WrongUse("One sentence.")` (exit code 2) instead of
printing errors yourself. Import what is slow to import (sockets, cryptography) inside `run`, so that `nodealer --help`
answers at once. `cli/output.py` has the progress bar and the rest of what commands share.
"""
