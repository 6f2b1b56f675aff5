"""Errors have fields: what happened, what state things are in, what to do."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from lakelock import errors
from lakelock.errors import LakelockError, Retryable, State, from_fields

KINDS = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, LakelockError)]
GIVEN = [
    (("It failed.",), "It failed."),
    (("It failed.", State.NOTHING_CHANGED), "It failed. Nothing was changed."),
    (("It failed.", State.STAGED_KEPT, "Look at ü."), "It failed. Staged files are kept. Look at ü."),
    (("It failed.", None, "Look."), "It failed. Look."),
]


@pytest.mark.parametrize(("given", "text"), GIVEN)
@pytest.mark.parametrize("kind", KINDS)
def test_an_error_arrives_in_another_process_as_it_was(
    kind: type[LakelockError], given: tuple[str, State | None, str], text: str
) -> None:
    raised = kind(*given)
    for error in (pickle.loads(pickle.dumps(raised)), from_fields(json.loads(json.dumps(raised.fields)))):
        assert type(error) is kind
        assert str(error) == text
        assert (error.what, error.state, error.do) == (raised.what, raised.state, raised.do)


def test_an_error_of_another_release_may_be_tried_again() -> None:
    fields = {"kind": "NotOfHere", "what": "It failed.", "state": "", "do": ""}
    assert type(from_fields(fields)) is Retryable
    assert type(from_fields(fields | {"kind": "State"})) is Retryable


@pytest.mark.parametrize("state", State)
def test_each_state_is_one_sentence(state: State) -> None:
    assert state.value[0].isupper()
    assert state.value.count(".") == 1
    assert state.value.endswith(".")


PRODUCT = Path(errors.__file__).parent
SENTENCES = [s.value.rstrip(".").lower() for s in State]
NAMES = {kind.__name__ for kind in KINDS}


def _texts(node: ast.AST, constants: Mapping[str, ast.expr]) -> Iterator[str]:
    """Each literal text in *node*, also of constants of its module."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in constants:
            yield from _texts(constants[part.id], {})


# An imperative at the beginning of a sentence, or behind a colon or semicolon.
ADVICE = re.compile(
    r"(?:[.;:] |, )(?:Add|Approve|Check|Fix|Give|Grant|Install|Let|Look|Name|Put|Remove|Rename|Repeat|Restore|Run|See|Set|Start"
    r"|Stop|Try|Use|Wait|Write)\b|[;:] (?:run|try|use|write|restore) "
)


def _is_state(text: str) -> bool:
    return any(sentence in text.lower() for sentence in SENTENCES)


def _is_advice(text: str) -> bool:
    return ADVICE.search(text) is not None


def _found_in_texts(path: Path, of_another_field: Callable[[str], bool]) -> list[str]:
    """Errors whose first argument has a text of another field, by line."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    # A caller may give the class of the error: `raise refused(…)`.
    raised = [node.exc for node in ast.walk(module) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    of_callers = {id(call) for call in raised if isinstance(call.func, ast.Name) and call.func.id[0].islower()}
    return [
        f"{node.lineno}: {text}"
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and node.args
        if getattr(node.func, "id", getattr(node.func, "attr", "")) in NAMES or id(node) in of_callers
        for text in _texts(node.args[0], constants)
        if of_another_field(text)
    ]


@pytest.mark.parametrize("of_another_field", [_is_state, _is_advice])
def test_only_the_field_says_the_state_or_what_to_do(of_another_field: Callable[[str], bool]) -> None:
    files = {str(path.relative_to(PRODUCT)): path for path in PRODUCT.rglob("*.py")}
    found = {name: _found_in_texts(path, of_another_field) for name, path in files.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_text_of_another_field_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        'LATER = "Staged files are kept; later."\n'
        "def f(refused, n):\n"
        '    raise Fenced(f"{n} failed, nothing was changed.")\n'
        '    raise refused(f"{n} failed. " + LATER)\n'
        '    raise Fenced("It failed.", State.NOTHING_CHANGED, "Run again: nothing was read.")\n'
        '    raise ValueError("Nothing was changed.")\n'
        '    raise Fenced(f"{n} failed. Run again.")\n'
        '    raise Fenced(f"{n} needs a name: write one.")\n',
        encoding="utf-8",
    )
    assert [line.split(": ")[0] for line in _found_in_texts(path, _is_state)] == ["3", "4"]
    assert [line.split(": ")[0] for line in _found_in_texts(path, _is_advice)] == ["7", "8"]
