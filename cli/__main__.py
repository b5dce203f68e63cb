"""`python -m cli` is `nodealer`, also where it is not installed."""

import sys

from cli.main import main

sys.exit(main())
