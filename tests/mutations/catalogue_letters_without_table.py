"""The guards of dead letters without a table that are redriven."""

from __future__ import annotations

from mutations.mutation import Mutation

GIVEN = "tests/interleavings/test_letters_that_get_a_table.py::"
WAITING = "tests/interleavings/test_letters_that_wait.py::"
DECIDED = "tests/unit/test_redrive_decisions.py::"

LETTERS_WITHOUT_TABLE = (
    Mutation(
        "asked for",
        "a redrive offers dead letters without a table that are assigned",
        "redrive/assignment.py",
        "places = without(letters_in(joined(map(coverage_of, self.tables))), self.registry.all_assigned)",
        "places = letters_in(joined(map(coverage_of, self.tables)))",
        GIVEN + "test_it_is_idempotent",
    ),
    Mutation(
        "once",
        "two redrives assign the same dead letters without a table to different tables",
        "redrive/assignment.py",
        "free = without(letters_in(joined(map(coverage_of, tables))), registry.all_assigned)",
        "free = letters_in(joined(map(coverage_of, tables)))",
        GIVEN + "test_two_at_once_with_other_rules",
    ),
    Mutation(
        "once",
        "a dead letter without a table goes to some of its tables although one cannot be made",
        "redrive/assignment.py",
        "                away += routed.tables[name].ranges",
        "                pass",
        GIVEN + "test_a_letter_of_which_a_table_cannot_be_made_stays",
    ),
    Mutation(
        "asked for",
        "an edited file assigns dead letters without a table otherwise than the preview said",
        "redrive/assignment.py",
        "        if seen.digest != self.context.pipeline.digest:",
        "        if False:",
        GIVEN + "test_an_approval_is_for_the_letters_and_the_file_of_the_preview",
    ),
    Mutation(
        "prefix",
        "a redriven row gives its table coverage beyond an open batch",
        "model/route_evidence.py",
        "            if end == r.start:",
        "            if True:",
        WAITING + "test_a_table_that_has_open_batches_gets_them_later",
    ),
    Mutation(
        "once",
        "dead letters of a backfill are assigned to a table while others of their range are on their way",
        "model/route_evidence.py",
        "*self.open, *self.letters]",
        "*self.open]",
        "tests/unit/test_fill_decisions.py::test_assigned_dead_letters_before_the_start_are_the_table_s_once_they_have_landed",
    ),
    Mutation(
        "once",
        "dead letters without a table are assigned in a table that rules made",
        "redrive/assignment.py",
        "        refuse_other_tables(pipeline, lookup.context.log)\n",
        "",
        GIVEN + "test_a_table_that_rules_made_takes_no_assignment",
    ),
    Mutation(
        "books",
        "a row of a dead letter without a table counts as a dead letter of the table",
        "audit/decision.py",
        "covered.dead_letters - without_table",
        "covered.dead_letters",
        GIVEN + "test_letters_go_to_the_tables_that_todays_rules_name",
    ),
    Mutation(
        "once",
        "a dead letter without a table becomes a row twice",
        "redrive/decision.py",
        "    return covered.without_rows(overlap(covered.data.ranges, assigned))",
        "    return overlap(covered.data.ranges, assigned)",
        DECIDED + "test_dead_letters_without_a_table_become_rows_that_the_books_did_not_have",
    ),
    Mutation(
        "once",
        "another dead-letter table forgets what dead letters without a table were assigned to",
        "model/registry.py",
        "        return Registry(tables, newest.configs, assigned, ",
        "        return Registry(tables, newest.configs, self.assigned, ",
        "tests/unit/test_retirements.py::test_what_is_assigned_stays_so",
    ),
    Mutation(
        "once",
        "dead letters are assigned in a dead-letter table that a recovery does not read",
        "redrive/assignment.py",
        "        if self.tables[0].name == pipeline.dead_letter_table:",
        "        if self.tables:",
        WAITING + "test_letters_are_found_before_the_first_batch_with_another_dead_letter_table",
    ),
    Mutation(
        "approved",
        "an expired preview of a redrive does not say what to do",
        "redrive/dead_letter_lookup.py",
        "        except LedgerDetached as fault:",
        "        except ValueError as fault:",
        GIVEN + "test_a_preview_whose_snapshots_have_expired_is_refused",
    ),
    Mutation(
        "progress",
        "a limit of tables stops the redrives of all tables",
        "redrive/redrive.py",
        "            except LakelockError as fault:\n                logger.error(",
        "            except JobCancelled as fault:\n                logger.error(",
        GIVEN + "test_a_limit_stops_letters_without_a_table_only",
    ),
)
