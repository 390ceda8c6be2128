"""What a seat may know, built up from what lies open and that seat's own hand (K-90, K-91).

Nothing else is within reach here: no other hand, no deck, no chance.
"""

from __future__ import annotations

from engine.deck_knowledge import DeckKnowledge, Draws
from engine.game import Data
from engine.kosmos.cards import CHITS, CITIES, COLOURS, EMPTY, EVENT, FIRST_EVENT, NAMES, PLACE_NAMES, TRAVEL
from engine.kosmos.state import KosmosHand, KosmosPublicState

_PLACE = (*PLACE_NAMES, None)  # EMPTY, which is -1, gives the last
_COLOUR = (*COLOURS, None)
_CARD = (*NAMES, None)
_KINDS = (NAMES[:FIRST_EVENT], NAMES[FIRST_EVENT:])  # by deck
_NO_DRAWS: list[Draws] = [[], []]


def build_view(table: KosmosPublicState, hand: KosmosHand | None, seat: int | None, face_down: bool) -> Data:
    """The view of `seat`, who holds `hand`; both None: a spectator's. `face_down`: chits lay so at the start."""
    card = _CARD
    phase = table.phase
    if phase == "escape" and seat != table.on_turn:
        phase = "travel"  # that this is asked tells of a card in hand
    travel_pile, event_pile = table.piles
    travel_unseen, event_unseen = table.unseen
    travel_draws, event_draws = hand.draws if hand else _NO_DRAWS
    return {
        "seat": seat,
        "on_turn": None if phase == "over" else table.on_turn,
        "phase": phase,
        "round": table.round,
        "first": table.first,
        "marker": table.marker,
        "marker_taken": table.marker_taken,
        "waiting": table.waiting[:],
        "travelling": table.travelling,
        "home_before": table.home_before,
        "detective": CITIES[table.detective],
        "supply": table.supply,
        "display": [card[code] for code in table.display],
        "taken": _PLACE[table.taken],
        "balloon": table.balloon,
        "legs": table.legs,
        "leg": {"days": table.leg_days, "roll": table.leg_roll} if table.leg_roll else None,
        "chit": _chit_asked(table) if table.asking != EMPTY else None,
        "city": table.city[:],
        "days": table.days[:],
        "gold": table.gold[:],
        "travel_cards": table.travel_cards[:],
        "event_cards": table.event_cards[:],
        "known": [[card[code] for code in known] if known else [] for known in table.known],
        "arrived": table.arrived[:],
        "retired": table.retired[:],
        "hand": [card[code] for code in hand.travel + hand.events] if hand else None,
        "red": table.red[:],
        "blue": table.blue[:],
        "face_down": _face_down(table) if face_down else None,
        "decks": {"travel": table.decks[TRAVEL], "event": table.decks[EVENT]},
        "piles": {"travel": [card[code] for code in travel_pile], "event": [card[code] for code in event_pile]},
        "hidden": {
            "travel": _hidden(travel_unseen, travel_draws, seat, _KINDS[TRAVEL]),
            "event": _hidden(event_unseen, event_draws, seat, _KINDS[EVENT]),
        },
    }


def _face_down(table: KosmosPublicState) -> Data:
    """How many chits of each kind nobody has seen, by colour."""
    return {colour: dict(zip(CHITS, table.face_down[number], strict=True)) for number, colour in enumerate(COLOURS)}


def _chit_asked(table: KosmosPublicState) -> Data:
    beside = table.blue if table.asking else table.red
    return {"colour": _COLOUR[table.asking], "chit": beside[table.city[table.on_turn]]}


def _hidden(unseen: DeckKnowledge, own: Draws, seat: int | None, names: tuple[str, ...]) -> Data:
    """What this seat can tell about the unseen draws from a deck: its own it has seen."""
    pools = {f"{shuffle}": pool[:] for shuffle, pool in unseen.pools.items()}
    drawn = list(map(list.copy, unseen.drawn))
    if seat is not None and own:
        latest = -1
        pool: list[int] = []
        for shuffle, kind in zip(drawn[seat], own, strict=True):
            if shuffle != latest:
                latest, pool = shuffle, pools[f"{shuffle}"]
            pool[kind] -= 1
    return {
        "shuffle": unseen.shuffle,
        "pools": pools,
        "drawn": drawn,
        "shown": [[[names[kind], before] for kind, before in notes] if notes else [] for notes in unseen.shown],
        "yours": [names[kind] for kind in own] if seat is not None else [],
    }
