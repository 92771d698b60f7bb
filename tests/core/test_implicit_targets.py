"""Targets that need no entry in the project file: which key they take, and that it becomes a secret."""

from __future__ import annotations

import pytest

from guardgate.model.project import LiteLLMTarget, OpenAITarget
from guardgate.targets import expand, implicit

KEYS = {"OPENAI_API_KEY": "key-of-openai", "ANTHROPIC_API_KEY": "key-of-anthropic", "SOME_ONE_API_KEY": "key-of-one"}


@pytest.mark.parametrize(
    ("model", "key"),
    [
        ("gpt-5", "key-of-openai"),
        ("openai/small", "key-of-openai"),
        ("anthropic/claude", "key-of-anthropic"),
        ("some-one/model/v2", "key-of-one"),
        ("nobody/model", None),
    ],
)
def test_litellm_takes_the_key_of_the_provider(model: str, key: str | None) -> None:
    environ = {**KEYS, "GUARDGATE_MODEL": model}
    target = implicit("litellm", environ)
    assert isinstance(target, LiteLLMTarget)
    full = expand("litellm", target, environ)
    assert isinstance(full.settings, LiteLLMTarget)
    assert (full.settings.api_key, full.secrets) == (key, (key,) if key else ())


def test_openai_takes_its_own() -> None:
    environ = {**KEYS, "GUARDGATE_MODEL": "small", "GUARDGATE_BASE_URL": "http://127.0.0.1:8000/v1"}
    target = implicit("openai", environ)
    assert isinstance(target, OpenAITarget)
    assert (target.api_key, target.base_url) == ("${OPENAI_API_KEY}", "http://127.0.0.1:8000/v1")


@pytest.mark.parametrize("name", ["openai", "litellm"])
@pytest.mark.parametrize("base", ["http://user:password-1@127.0.0.1/v1", "http://127.0.0.1/v1?key=password-1"])
def test_an_address_with_a_secret_in_it_is_one(name: str, base: str) -> None:
    environ = {"GUARDGATE_MODEL": "small", "GUARDGATE_BASE_URL": base}
    target = implicit(name, environ)
    assert target is not None
    assert "password-1" not in target.model_dump_json()
    full = expand(name, target, environ)
    assert isinstance(full.settings, OpenAITarget | LiteLLMTarget)
    assert (full.settings.base_url, full.secrets) == (base, (base,))


@pytest.mark.parametrize("name", ["openai", "litellm"])
def test_without_a_model_there_is_none(name: str) -> None:
    assert implicit(name, KEYS) is None
