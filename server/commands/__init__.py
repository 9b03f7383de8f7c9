"""What each command of `doublesix` does; `server/__main__.py` has their arguments."""
