"""Plays any legal action: the smallest bot, and the one that every other should beat.

In `ravensburger` it makes three exceptions, because pure chance does not get home there. Where pawns may go backwards
it would move its own back about as often as forward, and half the ways to spend a turn are draws although the hand must
be empty at the end: such games only ended in their last round. So it never goes back, goes home when it can, and with
two or more cards in hand draws only if there is nothing else. It leaves everything else to chance.
"""

from arena.client import run


def decide(game):
    # game.actions lists everything that is allowed now, as plain data; the answer is an index into it.
    # game.random is seeded by the referee: a bot that draws from nothing else can be replayed.
    choices = onward(game) if game.game == "ravensburger" else range(len(game.actions))
    return game.random.choice(choices or range(len(game.actions)))


def onward(game):
    """Return the actions that lead home; else those that do not lead back, without draws if there are others."""
    here, goal = game.view["square"][game.seat], game.edition["board"]["goal"]
    ends = [action["to"] if type(action.get("to")) is int else here for action in game.actions]
    if goal in ends:
        return [index for index, end in enumerate(ends) if end == goal]
    onward = [index for index, end in enumerate(ends) if end >= here]
    few = game.view["cards"][game.seat] < 2
    return [index for index in onward if few or game.actions[index]["do"] != "draw"] or onward


if __name__ == "__main__":
    run(decide, parallel=8)
