"""Pages of games that were analysed."""

from __future__ import annotations

import json
import zlib
from concurrent.futures import ThreadPoolExecutor

import msgspec

from arena.analysis.playouts import Budget
from arena.analysis.run import AnalysisCache, Analyst
from arena.ledger import Ledger
from engine import catalog
from tests.arena.site.conftest import Cup, contents


def analyse(cup: Cup, game: str, cheat: bool = False) -> None:
    cache = AnalysisCache(cup.folder, writing=True)
    with Ledger.open(cup.folder) as ledger, ThreadPoolExecutor(1) as pool:
        rules, edition, record = catalog.rules(cup.game), ledger.settings.edition, ledger.game(game)
        *_, found = Analyst(rules, edition, Budget(8), cache=cache).analyse(record, range(record.players), pool)
        if cheat:  # as if every choice had lost much
            wrong = [
                msgspec.structs.replace(
                    each, choices=[msgspec.structs.replace(one, lost=0.2, error=0.01) for one in each.choices]
                )
                for each in found.decisions
            ]
            cache.put(record, rules, edition, msgspec.structs.replace(found, decisions=wrong))
    cache.close()


def public(cup: Cup, game: str) -> dict:
    text = (cup.site / "games" / game / "public.js").read_text("ascii")
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def test_an_analysed_game_is_published_anew_and_no_other(cup: Cup) -> None:
    cup.publish()
    before = contents(cup.site)
    game = next(path.split("/")[1] for path in before if path.endswith("public.js"))
    assert "analysis" not in public(cup, game)
    analyse(cup, game, cheat=True)
    assert cup.publish().made == 1
    changed = {path for path, data in contents(cup.site).items() if before.get(path) != data}
    assert {path for path in changed if path.startswith("games/p")} == {f"games/{game}/public.js"}
    found = public(cup, game)
    analysis = found["analysis"]
    assert analysis["unit"] == "chance"
    assert len(analysis["records"]) == found["players"]
    assert {each["symbol"] for each in analysis["marks"]} == {"??"}
    assert all(0 <= each["step"] < len(found["steps"]) for each in analysis["marks"])
    assert any(each["way"] for each in analysis["marks"]), "it is shown on the board"
    steps = [each[0] for each in analysis["curve"]]
    assert steps == sorted(set(steps))
    assert cup.publish().made == 0
    del found["analysis"]
    with Ledger.open(cup.folder) as ledger:
        assert found["bots"] == ledger.game(game).bots


def test_what_somebody_put_beside_a_ledger_gets_on_no_page(cup: Cup) -> None:
    """It is read as what it should be, and written anew."""
    game = "p2-b0000-r0"
    analyse(cup, game)
    cache = AnalysisCache(cup.folder, writing=True)
    kept = cache._kept.get(game)
    data = json.loads(zlib.decompress(kept.data)) | {"more": "<script>"}
    cache._kept.put(game, msgspec.structs.replace(kept, data=zlib.compress(json.dumps(data).encode())), at_once=True)
    cache.close()
    cup.publish()
    assert "analysis" in public(cup, game)
    assert "more" not in public(cup, game)["analysis"]
