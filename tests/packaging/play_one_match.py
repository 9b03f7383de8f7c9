"""Run by the python of an environment that holds nothing but the wheel and its dependencies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Start the command that the wheel installed."""
    command = Path(sys.executable).with_name("doublesix")
    subprocess.run([command, "--help"], check=True)


if __name__ == "__main__":
    main()
