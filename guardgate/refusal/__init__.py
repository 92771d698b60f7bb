"""Whether a reply refuses: code that reads what it says, without a model."""

from guardgate.refusal.stance import Stance, stance

__all__ = ["Stance", "stance"]
