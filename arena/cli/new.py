"""`arena new`: create a folder with a bot to start from, or with the rules of a new game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Final

import typer

from arena import shipped
from arena.cli.options import AsJson, GameName, words
from arena.cli.terminal import print_json, say, table, warn
from arena.common.printable import as_typed
from arena.common.regular_files import why_unread
from arena.features import Form
from arena.starters import ANY_LANGUAGE, WRAPPERS, Starter, make, make_rules, starter, starters, wrappers
from arena.starters.policies import check_rows, is_policy, make_bot, read_policy
from engine import catalog

EXAMPLES: Final = (
    "arena new mine --lang python",
    "arena new bots/mine --lang rust",
    "arena new fish --from uci",
    "arena new mine --from openai",
    "arena new mine --from run/policy.npz --form run/form.json",
    "arena new mine --from policy.onnx",
    "arena new mine --from mypackage.agent:decide",
    "arena new skull --rules",
    "arena new --list",
)
_WRAPS: Final = "To let an existing program play, say --from instead"


def command(
    name: Annotated[
        Path | None, typer.Argument(help="The folder to create. Its last part names the bot.", metavar="NAME")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--lang", help="See --list.", autocompletion=words(starters), metavar="LANGUAGE")
    ] = None,
    wrapper: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Let an existing program play, asked in this way (see --list), or a saved policy: an .onnx, .npz or "
            ".pkl file, a .zip of Stable-Baselines3, a checkpoint of RLlib, or MODULE:NAME.",
            autocompletion=words(wrappers),
            metavar="PROTOCOL|FILE",
        ),
    ] = None,
    form: Annotated[
        Path | None,
        typer.Option(
            help="Of a policy: how views become numbers. Default: FILE.form.json or form.json beside it, or by --game.",
            metavar="FILE",
        ),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Make a package with the rules of a new game.")] = False,
    game: GameName = None,
    list_: Annotated[bool, typer.Option("--list", help="List the languages and protocols.")] = False,
    as_json: AsJson = False,
) -> None:
    """Create a folder with a working bot, or with the rules of a game. It works as it is and says how to go on."""
    if list_:
        _list(as_json)
        return
    if name is None:
        raise typer.BadParameter("name the folder to make, or ask for the languages with --list", param_hint="NAME")
    if rules + (language is not None) + (wrapper is not None) > 1:
        raise typer.BadParameter("give one of --lang, --from and --rules", param_hint="--lang")
    if rules:
        _make_rules(name, as_json)
        return
    if wrapper is not None and is_policy(wrapper):
        _make_policy(name, wrapper, form, game, as_json)
        return
    if form is not None:
        raise typer.BadParameter("only a policy has one: --from FILE", param_hint="--form")
    if wrapper is not None:
        chosen = starter(wrapper, shipped.find(WRAPPERS))
    elif language is not None:
        chosen = starter(language)
    else:
        raise typer.BadParameter(
            f"choose one of {', '.join(starters())}. {ANY_LANGUAGE}. {_WRAPS}", param_hint="--lang"
        )
    if game is not None:
        catalog.rules(game)
    files = [str(path) for path in make(chosen, name, game)]
    if as_json:
        print_json({"folder": str(name), "language": chosen.key, "files": files})
    else:
        say(f"{name}: {', '.join(files)}")
        say(f"Change {name / chosen.about.edit}. Try it:  {_check(chosen, name, game)}")
    if missing := chosen.missing():
        warn(f"{chosen.about.language} needs {', '.join(missing)}, which is not found on this machine.")
        for line in chosen.about.install:
            warn(f"    {line}")


def policy_bot(folder: Path, source: str, form: Path | None, game: str | None) -> tuple[str | None, str, list[str]]:
    """Make a bot of a saved policy in a folder. Return the game that it plays, the policy's kind and the files."""
    policy = read_policy(source)
    game = game or policy.game
    save = None
    if policy.needs_form:
        found = _form(source, form, game)
        if game is not None and catalog.rules(game).name != found.game:
            raise typer.BadParameter(f"the form is of {found.game}, not of {game}", param_hint="--game")
        game = found.game
        actions = found.actions
        if actions.count is None:  # it scores actions, each by a row
            policy.check(found.observation_width + actions.width, 1, found.game)
        else:
            policy.check(found.observation_width, actions.count, found.game)
        save = found.save
    elif policy.kind == "table":
        check_rows(policy, game)
    return game, policy.kind, [str(path) for path in make_bot(policy, folder, game, save)]


def _make_policy(folder: Path, source: str, form: Path | None, game: str | None, as_json: bool) -> None:
    game, kind, files = policy_bot(folder, source, form, game)
    if as_json:
        print_json({"folder": str(folder), "policy": kind, "files": files})
        return
    say(f"{folder}: {', '.join(files)}")
    say(f"Try it:  {as_typed('arena', 'check', folder, *([] if game is None else ['--game', game]))}")


def _form(source: str, given: Path | None, game: str | None) -> Form:
    """Return the form of a policy: the one that is given, one that lies beside it, or else that of the game."""
    path = Path(source)
    beside = (path.with_name(name) for name in (f"{path.name}.form.json", "form.json"))
    file = given or next((each for each in beside if each.is_file()), None)
    if file is None and game is None:
        why = "say what the policy was trained with: --form FILE, as arena.features.Form.save wrote it, or --game"
        raise typer.BadParameter(why, param_hint="--form")
    try:
        return Form.of(game or "") if file is None else Form.load(file)
    except OSError as error:
        raise typer.BadParameter(f"{file}: {why_unread(error)}", param_hint="--form") from None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--form") from None


def _check(chosen: Starter, folder: Path, game: str | None) -> str:
    """Return the command that checks the bot, in a game that it plays."""
    about = chosen.about
    game = game or (about.games[0] if about.games else None)
    asked = [] if game is None else ["--game", game]
    return as_typed("arena", "check", folder, *asked) + about.typed(folder.name)


def _make_rules(folder: Path, as_json: bool) -> None:
    files = [str(path) for path in make_rules(folder, catalog.installed())]
    if as_json:
        print_json({"folder": str(folder), "files": files})
        return
    [module] = [file for file in files if file.endswith(f"{folder.name.replace('-', '_')}.py") and "test" not in file]
    say(f"{folder}: {', '.join(files)}")
    say(f"Change {folder / module}: arena docs add-a-game explains it. Try it:")
    say(f"    {as_typed('pip', 'install', '-e', folder, 'pytest')} && {as_typed('python', '-m', 'pytest', folder)}")


def _list(as_json: bool) -> None:
    options = {"--lang": starters(), "--from": wrappers()}
    found = [(option, each) for option, kinds in options.items() for each in kinds.values()]
    with ThreadPoolExecutor() as pool:  # each waits for programs that look for libraries
        missing = list(pool.map(lambda each: each[1].missing(), found))
    if as_json:
        abouts = zip(found, missing, strict=True)
        print_json({each.key: {"option": option, **_about(each, gone)} for (option, each), gone in abouts})
        return
    rows = [
        (
            f"{option} {each.key}",
            each.about.language,
            ", ".join([*each.about.needs, *each.about.libraries]),
            _state(gone),
        )
        for (option, each), gone in zip(found, missing, strict=True)
    ]
    say(table(("option", "language", "needs", "on this machine"), rows))


def _about(each: Starter, missing: list[str]) -> dict[str, object]:
    about = each.about
    return {
        "language": about.language,
        "needs": about.needs,
        "libraries": list(about.libraries),
        "install": about.install,
        "missing": missing,
    }


def _state(missing: list[str]) -> str:
    return f"missing: {', '.join(missing)}" if missing else "ready"
