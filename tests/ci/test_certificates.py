"""`ca-bundle`: a bot behind a company's own certificate is reached, and the public ones still count."""

from __future__ import annotations

import ssl
from pathlib import Path

import certifi
import trustme

from guardgate.ci.certificates import certified
from tests.ci.job import job
from tests.support.github import GitHub
from tests.support.project import bot, http, write
from tests.support.server import Server


def test_the_bot_of_a_company_is_reached_with_its_certificate_alone(workspace: Path, github: GitHub) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(workspace / "company.pem"))
    with Server(bot(lambda _: "No."), tls=context) as server:
        write(workspace, http(server.url))
        assert job(workspace, github, "workflow_dispatch", {}).code == 3
        did = job(workspace, github, "workflow_dispatch", {}, ca_bundle="company.pem")
    assert (did.exit, did.code) == (0, 0)


def test_both_are_in_one_file_and_it_is_gone_afterwards(tmp_path: Path) -> None:
    (tmp_path / "own.pem").write_text("own", encoding="utf-8")
    with certified({"A": "b"}, tmp_path, "own.pem") as environ:
        place = Path(environ["SSL_CERT_FILE"])
        assert place.read_bytes() == Path(certifi.where()).read_bytes() + b"\nown"
        assert environ["A"] == "b"
    assert not place.exists()
    with certified({"A": "b"}, tmp_path, "") as environ:
        assert environ == {"A": "b"}


def test_a_bundle_that_is_not_there_is_three(workspace: Path, github: GitHub) -> None:
    assert job(workspace, github, "workflow_dispatch", {}, ca_bundle="nowhere.pem").code == 3
