"""Settings of one server process, read and validated when it starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, IPvAnyNetwork

from server.limits import Count, Limits
from server.store.redis.address import check_url


def _check_store(store: str) -> str:
    if store not in {"sqlite", "memory"}:
        try:
            check_url(store)
        except ValueError as error:
            raise ValueError(f"sqlite, memory or the address of a Redis server: {error}") from error
    return store


def _spare_processors() -> int:
    """All but one, which is for the tables, and one at least."""
    return max(1, (os.cpu_count() or 1) - 1)


class Config(BaseModel):
    """How this process runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = ""
    """Empty: all interfaces."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8661
    """0: any free one."""
    data: Path = Path("data")
    store: Annotated[str, AfterValidator(_check_store)] = "sqlite"
    """sqlite, memory, or the address of a Redis server."""
    durability: Literal["power", "process"] = "power"
    origins: tuple[str, ...] = ()
    """Origins of browsers that are admitted beside the server's own host."""
    proxies: tuple[IPvAnyNetwork, ...] = ()
    """Whose word is taken for where a connection comes from."""
    monitors: tuple[IPvAnyNetwork, ...] = ()
    """Who may read `/metrics`, beside this machine."""
    bot_workers: Count = Field(default_factory=_spare_processors)
    """Processes in which bots search. 0: there are no levels that do."""
    limits: Limits = Limits()
