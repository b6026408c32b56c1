"""Cards of tasks that very many raters answered stay short."""

from accord.pipeline.report import Answer, TaskRow
from accord.reporting.tasks import LISTED, _table
from accord.values import Kind


def row(texts, **more):
    answers = tuple(Answer(f"rater {i}", text, **more) for i, text in enumerate(texts))
    return TaskRow(unit="1", value=0.5, answers=answers)


def shown(table):
    return [tuple(str(cell.shown) for cell in cells) for cells in table.rows]


def test_many_raters_of_one_label_are_counted_by_answer():
    table = _table(row(["yes"] * 700 + ["no"] * 300), Kind.LABEL)
    assert [heading.title for heading in table.headings] == ["Answer", "Raters"]
    assert shown(table) == [("yes", "700"), ("no", "300")]


def test_many_answers_of_many_raters_are_cut():
    table = _table(row([f"label {i}" for i in range(LISTED + 5)] + ["label 7"]), Kind.LABEL)
    assert shown(table)[0] == ("label 7", "2")
    assert shown(table)[-1] == ("5 other answers", "5")
    assert len(table.rows) == LISTED + 1


def test_many_raters_of_other_answers_are_listed_up_to_a_limit():
    table = _table(row([f"text {i}" for i in range(LISTED + 5)]), Kind.TEXT)
    assert len(table.rows) == LISTED + 1
    assert shown(table)[-1] == ("and 5 more raters", "–")


def test_few_raters_are_all_listed():
    assert len(_table(row(["yes"] * LISTED), Kind.LABEL).rows) == LISTED
