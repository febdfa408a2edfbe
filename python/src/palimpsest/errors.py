"""What can be wrong with a file or a name; each message says where, what, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class NotACubeError(ValueError):
    """A file that is not a cube of Palimpsest, or of a schema that this package does not know."""


class UnknownVariableError(KeyError):
    """A name that the cube or frame does not have.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        What there is; the nearest names are in the message.
    where : str
        Where it was looked for, as "the cube".
    """

    def __init__(self, name: str, known: Iterable[str], where: str) -> None:
        known = sorted(set(map(str, known)))
        near = get_close_matches(name, known, n=4, cutoff=0.5) or [other for other in known if name in other][:4]
        hint = f"Near names: {', '.join(near)}." if near else f"It has {len(known)} others; list(…) names them."
        self.message = f"{where} has no {name!r}. {hint}"
        super().__init__(self.message)

    def __str__(self) -> str:
        """Give the message as it is; that of KeyError stands in quotation marks."""
        return self.message
