"""Logs of what was asked and how it went, one JSON object a line; never what annotators wrote."""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import TextIO

FIELDS = ("event", "method", "route", "status", "milliseconds", "user", "request", "job", "project")


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object; only known fields are written."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = _places(record)
        return json.dumps(line, ensure_ascii=True, default=str)


def _places(record: logging.LogRecord) -> list[str]:
    """File and line of each step to an error; its text may hold content, so it is left out."""
    trace = record.exc_info[2] if record.exc_info else None
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/site-packages/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return places[-12:]


def start_logging(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send the logs of the service, its workers and the web server to a stream, standard error by default."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("accord", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
    logging.getLogger("uvicorn.access").disabled = True


def milliseconds(since: float) -> float:
    """Time passed since a ``perf_counter`` reading."""
    return round((time.perf_counter() - since) * 1000, 1)
