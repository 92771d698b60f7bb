"""The gate that keeps a chatbot's or an agent's written rules true."""

__version__ = "0.1.0"
__all__ = ["__version__"]
