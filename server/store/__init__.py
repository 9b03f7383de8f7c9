"""Where steps and players are kept: one small interface, one shared test suite, several stores."""
