from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Id(str):
    """The id of a record: 24 hexadecimal digits, as requests take it."""

    __slots__ = ()

    @property
    def oid(self) -> str:
        return str(self)

    def to_dict(self) -> dict[str, Any]:
        return {"$oid": str(self)}

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Id:
        return cls(src_dict["$oid"])
