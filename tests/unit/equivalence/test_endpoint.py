"""Servers that misbehave: each gives a clear error, none gets texts it was not meant to get."""

import pytest
from scripted_server import Reply, serving

from accord.equivalence.endpoint import LARGEST, Access, Endpoint, NoAnswerError
from accord.errors import DataError, UsageError


def ask(answer, access=None, timeout=5.0):
    waits = []
    with serving(answer) as (url, received):
        endpoint = Endpoint(url, access or Access(), timeout=timeout, sleep=waits.append)
        try:
            return endpoint.post("/ask", {"a": 1}), received, waits
        except (DataError, UsageError) as problem:
            return problem, received, waits


def test_json_goes_and_comes_with_the_token():
    answer, received, _ = ask(lambda path, body, _: Reply({"path": path, "body": body}), Access(token="secret"))
    assert answer == {"path": "/ask", "body": {"a": 1}}
    assert received[0][1]["Authorization"] == "Bearer secret"


def test_the_token_is_never_shown():
    assert "secret" not in repr(Access(token="secret"))
    problem, _, _ = ask(lambda *_: Reply("no", status=401), Access(token="secret"))
    assert "answers 401" in str(problem)
    assert "secret" not in str(problem)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status):
    answer, received, waits = ask(lambda _path, _body, number: Reply({"ok": number}, 200 if number == 3 else status))
    assert answer == {"ok": 3}
    assert waits == [0.5, 1.0]
    assert len(received) == 3


def test_a_server_that_stays_busy_is_given_up_and_may_answer_later():
    problem, received, _ = ask(lambda *_: Reply("loading", status=503))
    assert isinstance(problem, NoAnswerError)
    assert "gave no answer to 3 tries: answers 503" in str(problem)
    assert len(received) == 3


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(status):
    with serving(lambda *_: Reply({"stolen": True})) as (other, stolen):
        problem, received, _ = ask(lambda *_: Reply(b"", status=status, headers={"Location": other}))
    assert "is not followed" in str(problem)
    assert (len(received), len(stolen)) == (1, 0)


def test_a_web_page_is_named():
    problem, _, _ = ask(lambda *_: Reply(b"<!doctype html><title>Sign in</title>"))
    assert "sent a web page: <!doctype html>" in str(problem)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"ok"])
def test_what_is_no_json_is_named(body):
    problem, _, _ = ask(lambda *_: Reply(body))
    assert "sent something that is no JSON" in str(problem)


def test_a_broken_connection_is_no_answer():
    problem, received, _ = ask(lambda *_: None)
    assert isinstance(problem, NoAnswerError)
    assert len(received) == 3


def test_a_slow_server_times_out():
    problem, _, _ = ask(lambda *_: Reply({}, delay=5.0), timeout=0.2)
    assert isinstance(problem, NoAnswerError)
    assert "timed out" in str(problem)


def test_nobody_listening():
    with serving(lambda *_: Reply({})) as (url, _):
        pass
    with pytest.raises(NoAnswerError, match="Is the server running"):
        Endpoint(url, Access(), sleep=lambda _: None).post("", {})


def test_an_answer_without_end_is_cut_off():
    problem, _, _ = ask(lambda *_: Reply(b" " * (LARGEST + 2)))
    assert "sent more than 64 MB" in str(problem)


NO_ADDRESS = ("", "localhost:8080", "ftp://localhost/", "file:///etc/passwd", "http://", "http://[::1", "http://h:x/")


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_addresses_that_are_none(url):
    with pytest.raises(UsageError, match="is no address of a server"):
        Endpoint(url, Access())


def test_passwords_in_an_address_are_refused():
    with pytest.raises(UsageError, match="ACCORD_TOKEN"):
        Endpoint("http://me:secret@localhost/", Access())


@pytest.mark.parametrize("host", ["example.org", "10.0.0.1", "127.0.0.1.example.org", "localhost.example.org"])
def test_other_machines_must_be_allowed_by_name(host):
    with pytest.raises(UsageError, match=f"--allow-remote {host}"):
        Endpoint(f"https://{host}/v1", Access(hosts=("other.example.org",)))
    assert Endpoint(f"https://{host}/v1", Access(hosts=(host.upper(),))).remote == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "[::1]", "localhost"])
def test_this_machine_needs_no_leave(host):
    assert Endpoint(f"http://{host}:1/", Access()).remote is None
