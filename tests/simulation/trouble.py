"""What goes wrong: lines break, phones sleep, and whatever can go wrong with the servers."""

from __future__ import annotations

from tests.simulation.person import Person
from tests.simulation.world import World


class Trouble:
    """Strikes a world, by its chance."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rng = world.rng

    def strike(self) -> None:
        """One thing goes wrong."""
        kinds = (
            self._break_line, self._break_line, self._sleep, self._open_second_tab, self._let_time_go,
            *self._world.servers.strikes,
        )  # fmt: skip
        self._rng.choice(kinds)()

    def _break_line(self) -> None:
        links = [link for link in self._world.live_links if not (link.is_left or link.is_lost)]
        if not links:
            return
        if self._rng.random() < 0.5:  # where something is asked and not answered
            links = [link for link in links if link.delivered != link.answered] or links
        link = self._rng.choice(links)
        way = self._rng.choice(("for both", "for the server", "for the client", "unnoticed"))
        self._world.note(f"the line of #{link.number} breaks {way}")
        match way:
            case "for both":
                link.cut()
            case "for the server":
                link.cut(client=False)
            case "for the client":
                link.cut(server=False)
            case _:
                link.vanish()
                if isinstance(link.client, Person) and link.client.link is link:
                    link.client.leave_link()

    def _sleep(self) -> None:
        person = self._rng.choice(self._world.people)
        person.asleep_until = self._world.now + self._rng.choice((1.0, 30.0))
        self._world.note(f"{person.name} takes nothing in until {person.asleep_until:.3f}")

    def _open_second_tab(self) -> None:
        """A new connection, while the old one is still there."""
        person = self._rng.choice(self._world.people)
        if person.is_greeted:
            person.leave_link()
            person.connect()

    def _let_time_go(self) -> None:
        """Nothing is heard for a while, though timers are due."""
        self._world.pass_until(self._world.now + self._rng.choice((1.0, 6.0, 25.0, 70.0)))
        self._world.note("time passes")
