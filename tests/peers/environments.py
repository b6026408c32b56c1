"""Environments of the packages that Accord is compared with, each built once and cached.

    python tests/peers/environments.py general     prints the interpreter of that environment, building it if needed

An environment lies under $ACCORD_CACHE (default ~/.cache/accord), in a folder named after the hash of its requirements
and of the Python that made it. A folder is complete once it holds a file named ``ready``.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
REQUIREMENTS = {
    "general": "general.txt",
    "irrcac": "irrcac.txt",
    "text": "text.txt",
    "masks": "masks.txt",
    "schema": "schema.txt",
    "encoders": "encoders.txt",
    "llm": "llm.txt",
    "entailment": "entailment.txt",
    "labelstudio": "labelstudio.txt",
}
#: Newest Python that the pinned packages of an environment install on.
NEWEST_PYTHON = {"irrcac": (3, 12)}


class UnavailableError(Exception):
    """The environment cannot be had on this machine; the text says why."""


def cache() -> Path:
    """Folder of everything cached."""
    return Path(os.environ.get("ACCORD_CACHE") or Path.home() / ".cache" / "accord").expanduser()


def python_for(name: str) -> str:
    """Interpreter that can install an environment: this one, else an older one on the path."""
    newest = NEWEST_PYTHON.get(name)
    if newest is None or sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], 10, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            return found
    raise UnavailableError(f"{name} needs Python {newest[0]}.{newest[1]} or older, this is {platform.python_version()}")


def environment(name: str) -> Path:
    """Return the interpreter of an environment; build it if its requirements have changed or nobody has yet."""
    python = python_for(name)
    requirements = HERE / "requirements" / REQUIREMENTS[name]
    text = requirements.read_text() + python + platform.python_version()
    folder = cache() / "peers" / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            _build(python, requirements, folder)
    return folder / "bin" / "python"


def _build(python: str, requirements: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    started = time.monotonic()
    _run([python, "-m", "venv", folder])
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-input"]
    _run([*pip, "--requirement", requirements])
    (folder / "ready").write_text(f"built in {time.monotonic() - started:.0f} s\n")


def _run(command: list) -> None:
    environ = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(f"{' '.join(map(str, command[:4]))} … failed: {done.stderr.strip()[-500:]}")


def json_line(name: str, arguments: dict) -> str:
    """A call as the Python workers read it."""
    return json.dumps({"call": name, **arguments})


def r_line(name: str, arguments: dict) -> str:
    """A call as R reads it."""
    return f"{name}({', '.join(f'{key} = {_r(value)}' for key, value in arguments.items())})"


def _r(value) -> str:
    if value is None:
        return "NA"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, list):
        kind = "list" if value and isinstance(value[0], list) else "c"
        return f"{kind}({', '.join(map(_r, value))})"
    return repr(value)


class Worker:
    """One process that answers calls, a line each, with ``{"result": …}`` or ``{"error": …}``."""

    def __init__(self, command: list, encode=json_line) -> None:
        self._encode = encode
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, name: str, /, **arguments):
        """Call a function of the worker; its error becomes a RuntimeError here."""
        self._process.stdin.write(self._encode(name, arguments) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker ended during {name}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{name}: {answer['error']}")
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait(timeout=20)
        self._process.stdout.close()


def start(name: str) -> Worker:
    """Start the worker of an environment."""
    return Worker([environment(name), HERE / f"worker_{name}.py"])


class Server:
    """A language model that serves chat and embeddings on this machine, in its own process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [environment("llm"), HERE / "llm_server.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise UnavailableError("the language model did not start")

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait(timeout=20)
        self._process.stdout.close()


def start_r() -> Worker:
    """Start the R worker.

    Raises
    ------
    UnavailableError
        Without Rscript, or without psych, vcd and lme4.
    """
    program = shutil.which("Rscript")
    if program is None:
        raise UnavailableError("Rscript is not installed (Debian: r-cran-psych r-cran-vcd r-cran-lme4)")
    check = "for (p in c('psych', 'vcd', 'lme4')) if (!requireNamespace(p, quietly = TRUE)) stop(p)"
    done = subprocess.run([program, "-e", check], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(
            f"R lacks a package (Debian: r-cran-psych r-cran-vcd r-cran-lme4): {done.stderr.strip()[-200:]}"
        )
    return Worker([program, "--vanilla", HERE / "worker.R"], r_line)


if __name__ == "__main__":
    try:
        print(environment(sys.argv[1]))
    except (UnavailableError, KeyError, IndexError) as problem:
        sys.exit(f"no such environment: {problem}; known: {', '.join(REQUIREMENTS)}")
