"""Own certificates, proxies of the environment, and base addresses: real TLS and real tunnels."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from guardgate.github.api import connect
from guardgate.github.failure import ApiFailure
from guardgate.github.settings import Settings, settings
from tests.github.make import Watch, bad, client, good
from tests.github.tunnel import Tunnel
from tests.support.github import TOKEN, GitHub


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def bundle(authority: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "own-ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return path


def tls(authority: trustme.CA, host: str = "127.0.0.1") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    return context


@pytest.fixture
def github(authority: trustme.CA) -> Iterator[GitHub]:
    with GitHub(prefix="/api/v3", tls=tls(authority)) as made:
        made.add_pull(7)
        yield made


def test_an_own_authority_is_trusted_when_it_is_given(github: GitHub, bundle: Path) -> None:
    with client(replace(github.settings, ca_bundle=bundle), Watch()) as api:
        assert good(api.pull(7)).number == 7


def test_an_unknown_certificate_is_not_trusted_and_not_tried_again(github: GitHub) -> None:
    watch = Watch()
    with client(github.settings, watch) as api:
        failure = bad(api.create_comment(7, "hello"))
    assert (failure.kind, failure.maybe_done) == ("unavailable", False)
    assert "is not trusted; give the file of your own authority as ca-bundle" in failure.text
    assert (watch.slept, github.seen) == ([], [])


def test_a_certificate_of_another_host_is_not_trusted(authority: trustme.CA, bundle: Path) -> None:
    with GitHub(tls=tls(authority, "elsewhere.test")) as github:
        with client(replace(github.settings, ca_bundle=bundle), Watch()) as api:
            assert "is not trusted" in bad(api.pull(7)).text
        assert github.seen == []


@pytest.mark.parametrize("content", [None, "", "no certificate\n", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_a_bundle_that_is_none_is_said_before_any_call(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    failure = bad(connect(Settings("https://api.github.com", "acme/bot", TOKEN, path)))
    assert failure.kind == "settings"
    assert "cannot be read as certificates" in failure.text


def test_a_tunnel_sees_the_host_and_not_the_token(
    github: GitHub, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tunnel() as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:word@{proxy.address}")
        with client(replace(github.settings, ca_bundle=bundle), Watch()) as api:
            assert good(api.pull(7)).number == 7
            assert good(api.login())
        assert [head.split()[:2] for head in proxy.heads] == [["CONNECT", f"127.0.0.1:{github.server.port}"]]
        assert "Proxy-Authorization: Basic" in proxy.heads[0]
        assert TOKEN not in proxy.heads[0]


def test_a_host_that_needs_no_proxy_gets_none(github: GitHub, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tunnel() as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy.address}")
        monkeypatch.setenv("NO_PROXY", "elsewhere.test,127.0.0.1")
        with client(replace(github.settings, ca_bundle=bundle), Watch()) as api:
            assert good(api.pull(7)).number == 7
        assert proxy.heads == []


def test_a_proxy_that_refuses_is_told_without_its_password(
    github: GitHub, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tunnel(refuses=True) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:pass-word-1@{proxy.address}")
        with client(replace(github.settings, ca_bundle=bundle), Watch()) as api:
            failure = bad(api.create_comment(7, "hello"))
    assert (failure.kind, failure.maybe_done) == ("unavailable", False)
    assert "407" in failure.text
    assert "pass-word-1" not in failure.text
    assert github.seen == []


def test_a_plain_base_goes_through_the_plain_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with GitHub(prefix="/api/v3", description=None) as github:
        github.add_pull(7)
        monkeypatch.setenv("HTTP_PROXY", github.server.url)
        with client(replace(github.settings, base="http://ghes.test/api/v3"), Watch()) as api:
            assert good(api.pull(7)).number == 7
        assert github.seen[0].headers["Host"] == "ghes.test"


@pytest.mark.parametrize("proxy", ["ldap://user:pass-word-1@h", "http://user:pass-word-1@h:x", "socks5://h:1"])
def test_a_proxy_that_cannot_be_used_is_said_before_any_call(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    made = connect(Settings("https://api.github.com", "acme/bot", TOKEN))
    failure = bad(made)
    assert failure.kind == "settings"
    assert "pass-word-1" not in failure.text


@pytest.mark.parametrize("host", [f"{'x' * 70}.test", "a..b"])
def test_a_host_that_no_resolver_takes_is_unavailable(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(Settings(f"https://{host}/api/v3", "acme/bot", TOKEN), Watch()) as api:
        failure = bad(api.create_comment(7, "hello"))
        assert (failure.kind, failure.maybe_done) == ("unavailable", False)
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:pass-word-1@{host}:1")
    with client(Settings("https://ghes.test/api/v3", "acme/bot", TOKEN), Watch()) as api:
        failure = bad(api.create_comment(7, "hello"))
        assert (failure.kind, failure.maybe_done) == ("unavailable", False)
        assert "pass-word-1" not in failure.text


ENVIRON = {"GITHUB_API_URL": "https://ghes.test/api/v3/", "GITHUB_REPOSITORY": "acme/bot"}


def test_settings_come_from_the_environment_of_the_job(tmp_path: Path) -> None:
    assert settings(ENVIRON, TOKEN, tmp_path) == Settings("https://ghes.test/api/v3", "acme/bot", TOKEN, tmp_path)
    public = settings({"GITHUB_REPOSITORY": "acme/bot"}, TOKEN)
    assert public == Settings("https://api.github.com", "acme/bot", TOKEN)
    assert TOKEN not in repr(public)


@pytest.mark.parametrize(
    "base",
    [
        *("ghes.test/api/v3", "ftp://ghes.test", "https://", "https://user@ghes.test", "https://ghes.test/?x=1"),
        *("https://ghes.test/#x", "https://ghes.test:0/x", "https://ghes.test:99999", "https://ghes.test:x"),
        *(
            "https://ghes.test/a b",
            "https://ghes.test/\n",
            "https://[broken",
            "https://ghes.test/../x",
            "https://ä.test",
        ),
    ],
)
def test_a_base_that_is_no_address_is_said(base: str) -> None:
    failure = settings({**ENVIRON, "GITHUB_API_URL": base}, TOKEN)
    assert isinstance(failure, ApiFailure)
    assert (failure.kind, "GITHUB_API_URL" in failure.text) == ("settings", True)


@pytest.mark.parametrize("name", ["", "bot", "acme/bot/x", "../..", "acme/..", "acme/b t", "acme/bot\n", "a/b?x=1"])
def test_a_repository_that_is_none_is_said(name: str) -> None:
    failure = settings({**ENVIRON, "GITHUB_REPOSITORY": name}, TOKEN)
    assert isinstance(failure, ApiFailure)
    assert "GITHUB_REPOSITORY" in failure.text


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "x" * 5_000, "schl\u00fcssel"])
def test_a_token_that_is_none_is_said_and_not_told(token: str) -> None:
    failure = settings(ENVIRON, token)
    assert isinstance(failure, ApiFailure)
    assert "token" in failure.text
    assert not token or token not in failure.text


def test_a_token_that_github_does_not_know_is_a_permission() -> None:
    with GitHub() as github, client(replace(github.settings, token="ghs_another000"), Watch()) as api:
        failure = bad(api.pull(7))
    assert (failure.kind, failure.status) == ("permission", 401)
    assert "Bad credentials" in failure.text
