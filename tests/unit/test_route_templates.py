"""Names of tables from templates."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records.routing.templates import Placeholder, Rendered, Template, corrected


@pytest.mark.parametrize(
    ("text", "kind", "name", "path"),
    [
        ("topic", "topic", "", ()),
        ("topic.1", "group", "1", ()),
        ("topic.tenant", "group", "tenant", ()),
        ("key", "key", "", ()),
        ("header.content-type", "header", "content-type", ()),
        ("header.a.b", "header", "a.b", ()),
        ("type", "field", "", ("type",)),
        ("event.type", "field", "", ("event", "type")),
        ("value.topic", "field", "", ("topic",)),
        ("value.value.x", "field", "", ("value", "x")),
        ("keys", "field", "", ("keys",)),
    ],
)
def test_placeholders(text: str, kind: str, name: str, path: tuple[str, ...]) -> None:
    found = Placeholder.parse(text)
    assert (found.kind, found.name, found.path) == (kind, name, path)
    assert found.is_of_topic == (kind in ("topic", "group"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raw.{topic", "a brace without its other one"),
        ("raw.topic}", "a brace without its other one"),
        ("raw.{{topic}}", "a brace without its other one"),
        ("push", "must be namespace.table"),
        ("{topic}", "must be namespace.table"),
        (".push", "must be namespace.table"),
        ("a..b", "must be namespace.table"),
        ("a.{x} y", "must be namespace.table"),
        ("a.b/{x}", "must be namespace.table"),
        ("a.{}", "must be a field such as"),
        ("a.{event..type}", "must be a field such as"),
        ("a.{ event}", "must be a field such as"),
        ("a.{header}", "{header} needs a name"),
        ("a.{header.}", "{header.} needs a name"),
        ("a.{value}", "{value} needs a field"),
        ("a.{key.id}", "write {value.key.id}"),
        ("a.{topic.a.b}", "write {value.topic.a.b}"),
        ("a.{topic.}", "write {value.topic.}"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Template.parse(text)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("push", "push"),
        ("Pull-Request", "pull_request"),
        ("a.b", "a_b"),
        ("Ä€", "__"),
        ("\u0130\u212a", "__"),
        ("", ""),
    ],
)
def test_values_are_corrected(value: str, name: str) -> None:
    assert corrected(value) == name
    assert len(corrected(value)) == len(value)


def test_a_name_has_corrected_values_and_the_raw_name_has_them_as_they_are() -> None:
    template = Template.parse("Raw_{topic}.{event.type}_{topic}")
    assert [p.text for p in template.placeholders] == ["topic", "event.type"]
    assert not template.is_fixed
    made = template.render({"topic": "a.B", "event.type": "Push!"})
    assert made == Rendered("Raw_a_b.push__a_b", "Raw_a.B.Push!_a.B")
    assert Template.parse("lake.push").is_fixed


@pytest.mark.parametrize("value", ["", "x" * 129, "a\0b", "a\ud800"])
def test_a_value_that_makes_no_name(value: str) -> None:
    assert Template.parse("lake.{x}").render({"x": value}) is None
    assert Template.parse("{x}.all").render({"x": value}) is None


def test_a_name_of_the_greatest_length() -> None:
    made = Template.parse("lake.t_{x}").render({"x": "x" * 126})
    assert made is not None
    assert Template.parse("lake.t_{x}").render({"x": ""}) == Rendered("lake.t_", "lake.t_")


@pytest.mark.parametrize(
    ("template", "name", "raw_name", "could"),
    [
        ("lake.{x}", "lake.push", "lake.push", True),
        ("lake.{x}", "lake.push", "lake.Push", True),
        ("lake.{x}", "lake.a_b", "lake.a.b", True),
        ("lake.{x}", "lake.a_b", "lake.a-b", True),
        ("lake.{x}", "lake.a_c", "lake.a-b", False),
        ("lake.{x}", "lake_a.b", "lake.a.b", False),
        ("{x}.{y}", "lake_a.b", "lake.a.b", True),
        ("{x}.{y}", "lake.a_b", "lake.a.b", True),
        ("lake.{x}_{x}", "lake.a_a", "lake.A_A", True),
        ("lake.{x}_{x}", "lake.a_b", "lake.a_b", False),
        ("lake.{x}_{y}", "lake.a_b", "lake.a_b", True),
        ("lake.A{x}", "lake.Aa", "lake.AA", True),
        ("lake.A{x}", "lake.aa", "lake.AA", False),
        ("lake.push", "lake.push", "lake.push", True),
        ("lake.push", "lake.pull", "lake.pull", False),
        ("lake.{x}", "lake.push", "lake.push\n", False),
        ("lake.{x}", "lake.push_", "lake.push\n", True),
    ],
)
def test_templates_that_could_have_made_a_name(template: str, name: str, raw_name: str, could: bool) -> None:
    assert Template.parse(template).could_make(Rendered(name, raw_name), {}) == could


def test_known_values_narrow_what_a_template_could_have_made() -> None:
    template, made = Template.parse("lake.{topic}_{x}"), Rendered("lake.a_b_c", "lake.A.b_c")
    assert template.could_make(made, {"topic": "A.b"})
    assert template.could_make(made, {"topic": "A.b", "x": "c"})
    assert template.could_make(made, {"x": "c"})
    assert not template.could_make(made, {"topic": "a.b"})
    assert not template.could_make(made, {"topic": "A.b", "x": "d"})


@pytest.mark.parametrize(
    ("one", "other", "could"),
    [
        ("lake.{x}", "lake.{y}", True),
        ("lake.{x}", "lake.{y}_{z}", True),
        ("lake.{x}_{y}", "lake.{z}", False),
        ("lake.{x}", "lake.pay_{x}", True),
        ("lake.pay_{x}", "lake.{x}", False),
        ("lake.pay_{x}", "lake.pay_eu_{x}", True),
        ("lake.{x}", "lake.Pay_{x}", False),
        ("lake.Pay_{x}", "lake.Pay_{x}", True),
        ("lake.{x}", "lake.push", True),
        ("lake.push", "lake.{x}", False),
        ("lake.{x}", "{y}.{x}", False),
        ("{y}.{x}", "lake.{x}", True),
        ("lake.{x}{y}", "lake.{z}", True),
        ("lake.{x}_{x}", "lake.{y}_{z}", False),
        ("lake.{x}_{x}", "lake.{y}_{y}", True),
        ("lake.{x}_{y}", "lake.{z}_{z}", True),
        ("lake.{x}", "raw.{x}", False),
    ],
)
def test_a_template_that_could_make_all_names_of_another(one: str, other: str, could: bool) -> None:
    assert Template.parse(one).could_make_all_of(Template.parse(other)) == could


@given(
    st.lists(st.sampled_from(["a", "b", "_", "A", "{x}", "{y}"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b", "_", "A", "{x}", "{y}", "{z}"]), min_size=1, max_size=5),
    st.lists(st.text("abA_-.", max_size=3), min_size=3, max_size=3),
)
def test_such_a_template_could_make_each_name(one: list[str], other: list[str], values: list[str]) -> None:
    first, second = (Template.parse(f"lake.t{''.join(parts)}") for parts in (one, other))
    made = second.render(dict(zip("xyz", values, strict=True)))
    assert made is not None
    if first.could_make_all_of(second):
        assert first.could_make(made, {})
