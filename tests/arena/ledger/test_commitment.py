import secrets
from pathlib import Path

import pytest

from arena.ledger import Ledger, LedgerError, commit_seed, committed_seeds, reveal_seeds, seed_hash
from tests.arena.ledgers import SETTINGS

SEED = bytes(range(16))


def begin(folder: Path, seed: bytes = SEED) -> Ledger:
    return Ledger.create(folder, SETTINGS.entries() | {"seed_hash": commit_seed(folder, seed)})


def anywhere(folder: Path, text: str) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if text.encode() in file.read_bytes())


def test_until_it_is_published_the_seed_is_in_its_own_file_only(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        assert ledger.meta["seed_hash"] == seed_hash(SEED)
        assert anywhere(tmp_path, SEED.hex()) == ["seed"]
        assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
        assert committed_seeds(ledger).at(0) == SEED


def test_the_hash_tells_seeds_apart_and_nothing_else() -> None:
    seed, other = secrets.token_bytes(16), secrets.token_bytes(16)
    assert seed_hash(seed) == seed_hash(seed) != seed_hash(other)
    assert seed.hex() not in seed_hash(seed)


def test_a_published_seed_stands_in_the_ledger_which_needs_no_file_any_more(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        reveal_seeds(ledger)
        (tmp_path / "seed").unlink()
        assert bytes.fromhex(ledger.meta["seed"]) == SEED == committed_seeds(ledger).schedule
        reveal_seeds(ledger)
        assert committed_seeds(ledger).at(0) == SEED


def test_an_older_file_is_replaced_and_not_left_open_to_others(tmp_path: Path) -> None:
    older = tmp_path / "seed"
    older.write_text("ff" * 16)
    older.chmod(0o644)
    with older.open() as reader, begin(tmp_path) as ledger:
        assert older.stat().st_mode & 0o777 == 0o600
        assert committed_seeds(ledger).at(0) == SEED
        assert reader.read() == "ff" * 16  # who had it open sees the older one


@pytest.mark.parametrize("text", [None, "", "no hex", "ff" * 16], ids=["lost", "empty", "garbled", "another"])
def test_without_its_seed_a_tournament_cannot_go_on(tmp_path: Path, text: str | None) -> None:
    with begin(tmp_path) as ledger:
        (tmp_path / "seed").unlink()
        if text is not None:
            (tmp_path / "seed").write_text(text)
        with pytest.raises(LedgerError, match=r"/seed\b"):
            committed_seeds(ledger)
        with pytest.raises(LedgerError):
            reveal_seeds(ledger)
        assert "seed" not in ledger.meta


def test_a_seed_altered_after_publishing_is_found_out(tmp_path: Path) -> None:
    with begin(tmp_path) as ledger:
        reveal_seeds(ledger)
        ledger.set_meta("seed", "ff" * 16)
        with pytest.raises(LedgerError, match=r"/seed\b"):
            committed_seeds(ledger)
