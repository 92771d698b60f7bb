"""Families of models: read from the names that hosts and makers give them."""

from __future__ import annotations

import pytest

from guardgate.family import family


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o", "openai"),
        ("chatgpt-4o-latest", "openai"),
        ("azure/gpt-4o", "openai"),
        ("openai/o1", "openai"),
        ("ft:gpt-4o-mini:acme::abc", "openai"),
        ("claude-sonnet-4-5", "anthropic"),
        ("anthropic/claude-sonnet-4-5", "anthropic"),
        ("openrouter/anthropic/claude-3.5-sonnet", "anthropic"),
        ("vertex_ai/claude-3-opus@20240229", "anthropic"),
        ("bedrock/us.anthropic.claude-3-5-sonnet-20240620-v1:0", "anthropic"),
        ("bedrock/amazon.nova-pro-v1:0", "amazon"),
        ("llama3:8b", "meta"),
        ("ollama/llama3.1:70b-instruct", "meta"),
        ("meta-llama/Meta-Llama-3-8B", "meta"),
        ("hf.co/someone/Llama-3.2-GGUF:Q4_K_M", "meta"),
        ("qwen2.5:7b", "alibaba"),
        ("deepseek-r1:8b", "deepseek"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "deepseek"),
        ("mistralai/Mixtral-8x7B-Instruct", "mistral"),
        ("gemini/gemini-2.0-flash", "google"),
        ("HuggingFaceTB/SmolLM2-135M", "huggingface"),
        ("openai/small", None),
        ("phind", None),
        ("", None),
    ],
)
def test_a_model_belongs_to_the_family_that_its_name_tells(model: str, expected: str | None) -> None:
    assert family("litellm", model) == expected


def test_what_is_declared_counts_before_the_name_and_the_program_last() -> None:
    assert family("openai", "gpt-4o", "Home-Grown") == "home-grown"
    assert family("claude_cli", "sonnet") == "anthropic"
    assert family("codex_cli", "") == "openai"
    assert family("codex_cli", "smollm2") == "huggingface"
