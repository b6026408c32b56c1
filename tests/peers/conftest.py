"""Workers of the packages that Accord is compared with. What cannot be built is skipped with its reason."""

import environments
import pytest


def _serve(start, *arguments):
    try:
        worker = start(*arguments)
    except environments.UnavailableError as reason:
        pytest.skip(str(reason))
    yield worker
    worker.close()


@pytest.fixture(scope="session")
def general():
    """scikit-learn, statsmodels, krippendorff, nltk, pingouin."""
    yield from _serve(environments.start, "general")


@pytest.fixture(scope="session")
def irrcac():
    """irrCAC, with the old numpy and scipy that it asks for."""
    yield from _serve(environments.start, "irrcac")


@pytest.fixture(scope="session")
def text():
    """jiwer and sacreBLEU."""
    yield from _serve(environments.start, "text")


@pytest.fixture(scope="session")
def masks():
    """pycocotools."""
    yield from _serve(environments.start, "masks")


@pytest.fixture(scope="session")
def entailment():
    """torch and transformers, with Accord itself."""
    yield from _serve(environments.start, "entailment")


@pytest.fixture(scope="session")
def llm():
    """A small language model behind a server on this machine."""
    yield from _serve(environments.Server)


@pytest.fixture(scope="session")
def r():
    """R with psych, vcd and lme4."""
    yield from _serve(environments.start_r)
