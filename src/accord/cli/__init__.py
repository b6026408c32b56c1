"""Command line: reads options, calls the pipeline, prints; every failure is a message and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from io import TextIOWrapper

from accord.errors import AccordError, shorten

INTERNAL_ERROR = 70
INTERRUPTED = 130
#: What a shell reports of a program whose reader, such as head, has gone: 128 + SIGPIPE.
READER_GONE = 141
LONGEST = 2000


def main() -> None:
    """Run the command line and exit with 0 fine, 1 below a threshold, 2 usage, 3 data."""
    _settle_streams()
    try:
        _run()
    except AccordError as error:
        _say(f"accord: {error}")
        code = error.exit_code
    except KeyboardInterrupt:
        _say("accord: interrupted")
        code = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = READER_GONE
    except MemoryError:
        _say("accord: not enough memory for this data")
        code = AccordError.exit_code
    except OSError as error:
        _say(f"accord: {error.strerror or error}{f': {shorten(str(error.filename))}' if error.filename else ''}")
        code = AccordError.exit_code
    except Exception as error:  # noqa: BLE001 - the last line of defence: a message, not a traceback
        if os.environ.get("ACCORD_DEBUG"):
            traceback.print_exc()
        _say(f"accord: internal error ({type(error).__name__}: {error}). Set ACCORD_DEBUG=1 to see where.")
        code = INTERNAL_ERROR
    else:
        return
    raise SystemExit(code)


def _run() -> None:
    """Run the command table, and write what is still to be written, so that a failure to do so is seen here."""
    from accord.cli.app import app

    try:
        app(standalone_mode=True)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):
            raise stop.__context__ from None
        raise
    finally:
        sys.stdout.flush()


def _settle_streams() -> None:
    """Give closed streams somewhere to go, and write what a stream cannot encode in another way."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - as long as the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(message: str) -> None:
    print(shorten(message, LONGEST), file=sys.stderr)  # noqa: T201
