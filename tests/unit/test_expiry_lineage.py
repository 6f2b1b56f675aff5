"""What maintenance may expire: never what a rollback, a ledger walk, a tag or another pipeline needs."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.versions import KeptVersion, Lineage
from lakelock.upkeep.expiry_decision import ExpiryLimits, expired

NOW = 1_000


def own(*ids: int) -> tuple[KeptVersion, ...]:
    """Snapshots of pipeline p, each made at the time of its id, newest first."""
    return tuple(KeptVersion(i, i, "p") for i in ids)


def lineage(history: tuple[KeptVersion, ...], **more: object) -> Lineage:
    return replace(Lineage(history, owners=frozenset({"p"})), **more)  # type: ignore[arg-type]


def gone(of: Lineage, age_ms: int, keep: int) -> list[int]:
    return expired(of, ExpiryLimits(age_ms, keep), "p", NOW)


def test_compactions_do_not_count() -> None:
    """Ten a day would leave nothing to go back to."""
    history = own(90, 80, 70, 60, 50, 40)
    mixed = tuple(replace(s, is_replace=s.id in {80, 70}) for s in history)
    assert gone(lineage(history), 1, 3) == [40, 50, 60, 70]
    assert gone(lineage(mixed), 1, 3) == [40, 50]
    assert gone(lineage(tuple(replace(s, is_replace=s.id < 90) for s in history)), 1, 2) == []


def test_what_is_older_than_the_age_and_beyond_the_count_goes() -> None:
    history = own(990, 980, 970, 960, 950)
    # 970 is what the branch showed 25 ms ago
    assert gone(lineage(history), 25, 2) == [950, 960]
    assert gone(lineage(history), 25, 4) == [950, 960]
    assert gone(lineage(history), 25, 5) == []
    assert gone(lineage(history), 500, 2) == []


def test_the_commit_that_expires_has_room_so_that_the_next_time_there_is_nothing() -> None:
    history = own(90, 80, 70, 60)
    out = gone(lineage(history), 1, 3)
    assert out == [60, 70]
    assert gone(lineage((KeptVersion(95, 95, "p"), *history[:2])), 1, 3) == []


def test_the_oldest_that_stays_can_report_what_each_pipeline_had() -> None:
    foreign = [KeptVersion(i, i) for i in (90, 80, 70)]
    history = (*foreign, *own(60, 50, 40))
    assert gone(lineage(history), 1, 2) == [40, 50]
    both = (*foreign, KeptVersion(60, 60, "p"), KeptVersion(50, 50, "q"), *own(40, 30))
    assert gone(lineage(both, owners=frozenset({"p", "q"})), 1, 2) == [30, 40]


def test_where_a_pipeline_began_after_the_oldest_only_the_tables_first_snapshot_proves_it() -> None:
    history = (*own(90), KeptVersion(80, 80), KeptVersion(70, 70), KeptVersion(60, 60))
    assert gone(lineage(history), 1, 3) == []
    assert gone(lineage((*own(95, 93, 92), *history)), 1, 3) == [60, 70, 80, 90, 92]


def test_nothing_goes_between_the_head_and_another_pipelines_tag() -> None:
    history = own(90, 80, 70, 60, 50)
    assert gone(lineage(history, others_ledgers=frozenset({60})), 1, 2) == [50]


def test_what_tags_and_branches_name_stays() -> None:
    assert gone(lineage(own(90, 80, 70, 60, 50), named=frozenset({50, 70})), 1, 2) == [60, 80]
    assert gone(lineage(own(90, 80), named=frozenset({80})), 1, 1) == []


def test_the_branchs_own_retention_holds() -> None:
    history = own(990, 980, 970, 960, 950)
    assert gone(lineage(history, min_keep=5), 1, 2) == []
    assert gone(lineage(history, min_age_ms=45), 1, 2) == []


def test_what_a_rollback_left_behind_goes_by_age_alone() -> None:
    aside = (
        KeptVersion(500, 500, "p"),
        KeptVersion(980, 980, "p"),
        KeptVersion(510, 510),
        KeptVersion(520, 520, "q"),
        KeptVersion(530, 530, None, True),
    )
    assert gone(lineage(own(990, 400), aside=aside), 100, 100) == [500, 510]
    assert gone(lineage(own(990, 400), aside=aside, named=frozenset({500})), 100, 100) == [510]


MAKERS = st.sampled_from([None, "p", "q"])


@given(st.lists(MAKERS, min_size=1, max_size=40), st.integers(1, 60), st.integers(1, 45), st.sets(st.integers(0, 40)))
def test_whatever_stays_within_the_limits_can_be_gone_back_to(
    makers: list[str | None], age: int, keep: int, tags: set[int]
) -> None:
    size = len(makers)
    history = tuple(KeptVersion(size - n, size - n, maker) for n, maker in enumerate(makers))
    of = Lineage(history, named=frozenset(tags), owners=frozenset({"p", "q"}))
    limits = ExpiryLimits(age, keep)
    now = size + 1
    out = set(expired(of, limits, "p", now))
    assert not out & tags
    assert history[0].id not in out
    assert len(history) - len(out) >= min(keep - 1, len(history))
    showed = max((s.id for s in history if s.at_ms < now - age), default=None)
    for n, target in enumerate(history):
        if target.at_ms >= now - age or target.id == showed:
            assert target.id not in out
            # A walk from it meets what names each pipeline, or all that there ever was.
            for owner in ("p", "q"):
                walk = next((m for m in range(n, size) if makers[m] == owner), size - 1)
                assert not out & {history[m].id for m in range(n, walk + 1)}
