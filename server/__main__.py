"""The ``doublesix`` command."""

from __future__ import annotations

import typer

app = typer.Typer(help="Realtime multiplayer dominoes.", no_args_is_help=True, add_completion=False)


@app.callback()
def doublesix() -> None:
    """Serve tables, seat bots and check what was played."""


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
