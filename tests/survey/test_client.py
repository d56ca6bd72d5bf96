"""The client: what a survey's file says, one person's report, and mistakes in a sentence each."""

from __future__ import annotations

import decimal
import json
import sqlite3
import stat
from contextlib import closing
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError, StoreError
from sfumato.survey import Memory, read_survey
from sfumato.survey.client.draws import loss_of_truth, read_loss, total
from sfumato.survey.client.survey_file import written_survey
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

YES_NO = {"choices": ["yes", "no"], "truth": "2/3"}
HOURS = {"bounds": (0, 24), "epsilon": 1}
MOOD = {"choices": ["good", "fair", "bad"], "epsilon": 1, "lifetime": 3}


def refused(questions: Any, **settings: Any) -> str:
    """Return the one sentence with which a survey is refused."""
    with pytest.raises(InputError) as caught:
        sf.Survey(questions, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestLosses:
    @pytest.mark.parametrize("epsilon", ["0.001", "0.693", "1", "1/3", "7.25", "64"])
    def test_the_ratio_is_just_below_e_to_epsilon(self, epsilon: str) -> None:
        loss = read_loss(epsilon)
        smaller, larger = loss.ratio, loss.ratio + Fraction(2, 10**18)
        claim = sf.PureDP(epsilon=epsilon).exact_epsilon
        assert sf.numeric.Ln(smaller) <= claim < sf.numeric.Ln(larger)

    def test_a_logarithm_is_exact(self) -> None:
        assert read_loss("ln(2)").ratio == 2
        assert read_loss("ln 3/2").ratio == Fraction(3, 2)
        assert read_loss(sf.numeric.Ln(5)).ratio == 5

    @pytest.mark.parametrize(
        "text", ["ln(2.0000000000000000000000000000000000001)", "ln(2", "ln2)", "ln()", "ln(3/0)"]
    )
    def test_what_is_no_whole_logarithm_is_not_read_as_another(self, text: str) -> None:
        try:
            loss = read_loss(text)
        except InputError:
            return
        assert 2 < loss.ratio < Fraction(2.000001)

    def test_what_is_written_reads_back(self) -> None:
        for loss in (read_loss("0." + "1" * 35), read_loss("ln(2.000000000000000000000000000001)")):
            assert read_loss(loss.text) == loss
        with pytest.raises(InputError):
            loss_of_truth("0." + "6" * 70, 2)
        with raises_code("E-NUMBER-FORM", "epsilon"):
            read_loss("0." + "1" * 70)

    def test_a_logarithm_below_the_least_epsilon_is_refused(self) -> None:
        with raises_code("E-ARGUMENT-RANGE", "epsilon"):
            read_loss("ln(1.0000000000001)")

    def test_no_decimal_context_changes_a_digest(self) -> None:
        question = {"cheated": {"choices": ["yes", "no"], "epsilon": "0.6931"}}
        plain = sf.Survey(question).digest
        with decimal.localcontext(decimal.Context(prec=3)):
            assert sf.Survey(question).digest == plain

    def test_losses_add_up_and_round_up(self) -> None:
        mixed = total([read_loss("ln(2)"), read_loss(1)])
        assert mixed.ratio == 2 * read_loss(1).ratio
        assert sf.numeric.Ln(2) < mixed.upper - 1
        assert mixed.text == "1.693147181"

    def test_the_books_two_thirds_is_ln_2(self) -> None:
        assert loss_of_truth("2/3", 2).text == "ln(2)"

    @pytest.mark.parametrize(
        "epsilon", [0, -1, "0", "nan", "inf", "1e-9", 65, "ln(1)", "ln(1/2)", "many", True, None]
    )
    def test_what_is_no_epsilon_is_refused(self, epsilon: Any) -> None:
        sentence = refused({"cheated": {"choices": ["yes", "no"], "epsilon": epsilon}})
        assert sentence.startswith("question 'cheated': epsilon must be from 0.000001 to 64, not ")

    @pytest.mark.parametrize("text", ["1" * 10**6, "ln(" + "9" * 10**6 + ")", "1e999999999"])
    def test_a_long_text_costs_nothing(self, text: str) -> None:
        assert len(refused({"cheated": {"choices": ["yes", "no"], "epsilon": text}})) < 250

    @pytest.mark.parametrize("truth", ["1/2", 0.4, 1, 2, "x", "0.99999999999999999999999999999999"])
    def test_a_truth_that_is_guessing_or_certain_is_refused(self, truth: Any) -> None:
        assert "truth" in refused({"cheated": {"choices": ["yes", "no"], "truth": truth}})


class TestSurveys:
    def test_it_guarantees_the_sum_of_its_questions(self) -> None:
        survey = sf.Survey({"hours": HOURS, "mood": MOOD})
        assert str(survey.guarantee) == "2-DP (substitute one person)"
        assert survey.lifetime is None
        assert str(sf.Survey({"mood": MOOD}).lifetime_guarantee) == "3-DP (substitute one person)"

    @pytest.mark.parametrize(
        "other",
        [
            {"name": "other"},
            {"ids": True},
            {"questions": {"cheated": YES_NO | {"choices": ["no", "yes"]}}},
            {"questions": {"cheated": {"choices": ["yes", "no"], "epsilon": "0.6931"}}},
            {"questions": {"cheated": YES_NO | {"text": "Have you cheated?"}}},
            {"questions": {"lied": YES_NO}},
            {"questions": {"cheated": YES_NO, "hours": HOURS}},
        ],
    )
    def test_whatever_differs_changes_the_digest(self, other: dict[str, Any]) -> None:
        plain: dict[str, Any] = {"questions": {"cheated": YES_NO}, "name": "class", "ids": False}
        survey, changed = (sf.Survey(**each) for each in (plain, plain | other))
        assert survey.digest != changed.digest
        assert survey != changed

    def test_the_digest_stays_what_it_is(self) -> None:
        """Files of reports outlive versions of the program."""
        questions = {"cheated": YES_NO, "hours": HOURS, "mood": MOOD}
        assert sf.Survey(questions, name="class").digest == "sccd5c1e73b17e3aa"

    def test_a_report_has_its_columns_in_order(self) -> None:
        survey = sf.Survey({"cheated": YES_NO, "hours": HOURS}, ids=True)
        report = survey.answer({"hours": 3, "cheated": "no"}, person="0042")
        assert tuple(report) == survey.entries == ("survey", "person", "tag", "cheated", "hours")
        assert report["person"] == "0042"
        assert json.loads(json.dumps(report)) == report

    def test_tags_tell_two_reports_apart(self) -> None:
        """They have 64 bits: two of fifty are equal with a chance of 7e-17."""
        survey = sf.Survey({"cheated": YES_NO}, ids=True)
        tags = {survey.answer({"cheated": "no"}, person="7")["tag"] for _ in range(50)}
        assert len(tags) == 50

    @pytest.mark.parametrize(
        ("answers", "words"),
        [
            ({"cheated": "perhaps"}, "that is no answer to 'cheated'; write 'yes' or 'no'"),
            ({"cheated": None}, "that is no answer"),
            ({"cheated": True}, "that is no answer"),
            ({}, "there is no answer to 'cheated'"),
            ({"cheatd": "yes"}, "did you mean 'cheated'?"),
            ("perhaps", "answers come by the names of their questions; write {'cheated': ...}"),
            (None, "answers come by the names"),
        ],
    )
    def test_a_wrong_answer_is_refused_and_not_repeated(self, answers: Any, words: str) -> None:
        with pytest.raises(InputError) as caught:
            sf.Survey({"cheated": YES_NO}).answer(answers)
        assert words in str(caught.value)
        assert "perhaps" not in str(caught.value)

    @pytest.mark.parametrize("number", ["many", None, "nan", float("inf"), True, "1;2"])
    def test_a_number_that_is_none_is_refused(self, number: Any) -> None:
        with raises_code("E-ANSWER-FORM"):
            sf.Survey({"hours": HOURS}).answer({"hours": number})

    def test_a_number_beyond_the_bounds_counts_as_the_nearer_one(self) -> None:
        question = sf.Survey({"hours": HOURS}).questions["hours"]
        assert question.distribution(-5) == question.distribution(0)
        assert question.distribution(1e9) == question.distribution(24)

    def test_ids_are_given_where_they_are_asked_for_and_nowhere_else(self) -> None:
        with raises_code("E-RESPONDENT-ID"):
            sf.Survey({"cheated": YES_NO}, ids=True).answer({"cheated": "yes"})
        with raises_code("E-RESPONDENT-ID"):
            sf.Survey({"cheated": YES_NO}).answer({"cheated": "yes"}, person="7")
        for person in ("", " 7", "a\nb", 7, "x" * 201):
            with raises_code("E-RESPONDENT-ID"):
                sf.Survey({"cheated": YES_NO}, ids=True).answer({"cheated": "yes"}, person=person)  # type: ignore[arg-type]

    def test_many_choices_are_not_all_listed(self) -> None:
        colours = {"choices": [f"c{each}" for each in range(100)], "epsilon": 1}
        with raises_code("E-ANSWER-FORM"):
            sf.Survey({"colour": colours}).answer({"colour": "red"})


class TestRefusals:
    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"choices": ["yes"], "epsilon": 1}, "has 1 choice; write two or more"),
            ({"choices": [], "epsilon": 1}, "has no choices; write two or more"),
            ({"choices": "yes", "epsilon": 1}, "choices must be a list"),
            ({"choices": ["a", "a"], "epsilon": 1}, "the choice 'a' is there twice"),
            ({"choices": ["a", " b"], "epsilon": 1}, "cannot be a choice"),
            ({"choices": ["a", 1], "epsilon": 1}, "cannot be a choice"),
            ({"choices": ["a", "b\n"], "epsilon": 1}, "cannot be a choice"),
            ({"choices": ["a", "b"]}, "either epsilon or truth"),
            ({"choices": ["a", "b"], "epsilon": 1, "truth": 0.7}, "either epsilon or truth"),
            ({"choices": ["a", "b"], "epsilonn": 1}, "did you mean 'epsilon'?"),
            ({"choises": ["a", "b"], "epsilon": 1}, "did you mean 'choices'?"),
            ({"bonds": [0, 24], "epsilon": 1}, "did you mean 'bounds'?"),
            ({"choices": ["a", "b"], "epsilon": 1, "protocol": "sets"}, "there is no protocol"),
            ({"choices": ["a", "b"], "epsilon": 1, "protocol": ["x"]}, "there is no protocol"),
            ({"choices": ["a", "b"], "epsilon": 1, "protocol": "permanent"}, "needs a lifetime"),
            ({"choices": ["a", "b"], "epsilon": 1, "lifetime": 1}, "is not above the epsilon"),
            (
                {"choices": ["a", "b"], "epsilon": 1, "lifetime": 2, "protocol": "unary"},
                "belongs to the protocol 'permanent'",
            ),
            (
                {"choices": ["a", "b"], "truth": 0.7, "protocol": "unary"},
                "belongs to the protocol 'response'",
            ),
            ({"bounds": (1, 1), "epsilon": 1}, "the lower bound must be below the upper one"),
            ({"bounds": ("x", 1), "epsilon": 1}, "bounds are two numbers"),
            ({"bounds": ("-1e400", "1e400"), "epsilon": 1}, "within 1e15 of 0"),
            ({"bounds": (0, "1e-330"), "epsilon": 1}, "1e-15 apart or more"),
            ({"bounds": [0], "epsilon": 1}, "bounds are two numbers"),
            ({"epsilon": 1}, "either choices or bounds"),
            ({"choices": ["a", "b"], "bounds": (0, 1), "epsilon": 1}, "either choices or bounds"),
            ("yes or no", "either choices or bounds"),
            ({"choices": ["a", "b"], "epsilon": 1, "text": 3}, "text must be a text"),
        ],
    )
    def test_a_wrong_question(self, given: Any, words: str) -> None:
        sentence = refused({"asked": given})
        assert words in sentence
        assert "'asked'" in sentence

    @pytest.mark.parametrize("former", [("lower", "upper"), ("upper",)])
    def test_the_former_words_for_bounds(self, former: tuple[str, ...]) -> None:
        assert refused({"hours": {"epsilon": 1, **dict.fromkeys(former, 0)}}) == (
            f"question 'hours' has {' and '.join(former)}, whose place bounds has taken; "
            "write bounds = [0, 100], say"
        )

    @pytest.mark.parametrize("name", ["", "two words", "1st", "a-b", "x" * 61, 3])
    def test_a_wrong_name_of_a_question(self, name: Any) -> None:
        assert "cannot name a question" in refused({name: YES_NO})

    def test_names_that_differ_in_capitals_alone(self) -> None:
        assert "differ in capitals alone" in refused({"age": YES_NO, "Age": YES_NO})

    @pytest.mark.parametrize("name", ["survey", "person", "tag", "Tag"])
    def test_a_name_that_reports_use(self, name: str) -> None:
        assert f"write {name}_ in its place" in refused({name: YES_NO})

    def test_a_survey_without_questions_a_name_or_a_clear_word_on_ids(self) -> None:
        assert "at least one question" in refused({})
        assert "at least one question" in refused(["cheated"])
        assert "name is a text" in refused({"cheated": YES_NO}, name="")
        assert "true or false" in refused({"cheated": YES_NO}, ids="yes")
        assert "write sf.survey.read_survey(...)" in refused("class.toml")


class TestFiles:
    @pytest.mark.parametrize("ids", [False, True])
    def test_what_is_written_reads_as_the_same_survey(self, tmp_path: Path, ids: bool) -> None:  # noqa: FBT001
        questions = {
            "cheated": YES_NO | {"text": 'A "quoted"\ttext,\nin two lines\x7f'},
            "hours": HOURS | {"bounds": ("-1.5", "1/3")},
            "mood": MOOD,
            "质量": {"choices": ["好", "不好"], "epsilon": "1/3", "protocol": "hashing"},
        }
        survey = sf.Survey(questions, name="a \\ class", ids=ids)
        file = tmp_path / "class.toml"
        file.write_text(written_survey(survey), encoding="utf-8")
        assert read_survey(file) == survey

    def test_bounds_are_written_as_they_would_be_by_hand(self) -> None:
        survey = sf.Survey({"hours": {"bounds": ("-1/3", 24.0), "epsilon": 1}})
        assert '\nbounds = ["-1/3", 24]\n' in written_survey(survey)

    def test_a_file_need_not_say_more_than_its_questions(self, tmp_path: Path) -> None:
        file = tmp_path / "class.toml"
        file.write_text('[questions.cheated]\nchoices = ["yes", "no"]\nepsilon = 0.693\n')
        survey = read_survey(file)
        assert (survey.name, survey.ids, survey.loss.text) == ("survey", False, "0.693")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "class.toml: a survey has at least one question; write [questions.cheated]"),
            ("question = 1", "there is no setting 'question' in class.toml; did you mean"),
            ("format = 2", "a format that this version does not know"),
            ("questions = 3", "at least one question"),
            ("name = ", "class.toml is not TOML at end of document: Invalid value; correct it"),
            (
                '[questions.a]\nchoices = ["x"]\nepsilon = 1',
                "class.toml: question 'a' has 1 choice",
            ),
        ],
    )
    def test_a_wrong_file_is_refused_in_a_sentence(
        self, tmp_path: Path, text: str, words: str
    ) -> None:
        file = tmp_path / "class.toml"
        file.write_text(text)
        with pytest.raises(InputError) as caught:
            read_survey(file)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path: Path) -> None:
        with raises_code("E-FILE-MISSING"):
            read_survey(tmp_path / "none.toml")
        with raises_code("E-FILE-IS-FOLDER"):
            read_survey(tmp_path)
        with raises_code("E-FILE-NAME"):
            read_survey("none\0.toml")
        (tmp_path / "raw.toml").write_bytes(b"\xff\xfe")
        with raises_code("E-FILE-ENCODING"):
            read_survey(tmp_path / "raw.toml")


class TestMemory:
    survey = sf.Survey({"mood": MOOD})

    def bits(self, memory: Memory, answer: int) -> str:
        drawn = '["mood",["good","fair","bad"],"3"]'
        return memory.permanent((drawn, "", answer), lambda: pytest.fail("drawn"))

    def test_an_answer_keeps_its_bits_and_another_has_its_own(self, tmp_path: Path) -> None:
        memory = Memory(tmp_path / "answers.db")
        for mood in ("good", "bad", "good"):
            self.survey.answer({"mood": mood}, memory=memory)
        first, third = self.bits(memory, 0), self.bits(memory, 2)
        self.survey.answer({"mood": "good"}, memory=tmp_path / "answers.db")
        assert (self.bits(memory, 0), self.bits(memory, 2)) == (first, third)

    def test_a_survey_that_changes_in_other_things_keeps_the_bits(self, tmp_path: Path) -> None:
        memory = Memory(tmp_path / "answers.db")
        self.survey.answer({"mood": "good"}, memory=memory)
        first = self.bits(memory, 0)
        changed = sf.Survey({"mood": MOOD | {"text": "How are you?", "epsilon": 2}}, name="other")
        changed.answer({"mood": "good"}, memory=memory)
        with closing(sqlite3.connect(memory.path)) as file:
            assert file.execute("SELECT bits FROM permanent").fetchall() == [(first,)]

    def test_two_people_in_one_file_have_bits_of_their_own(self, tmp_path: Path) -> None:
        memory, survey = Memory(tmp_path / "answers.db"), sf.Survey({"mood": MOOD}, ids=True)
        for person in ("7", "8", "7"):
            survey.answer({"mood": "good"}, person=person, memory=memory)
        with closing(sqlite3.connect(memory.path)) as file:
            people = file.execute("SELECT person FROM permanent ORDER BY person").fetchall()
        assert people == [("7",), ("8",)]

    @pytest.mark.parametrize("name", [":memory:", "file:answers?mode=memory"])
    def test_a_name_that_sqlite_would_forget_is_a_file_like_any(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        self.survey.answer({"mood": "good"}, memory=name)
        assert (tmp_path / name).stat().st_size > 0
        assert self.bits(Memory(name), 0)

    @pytest.mark.parametrize("bits", ["", "b0", "hello", "b0111"])
    def test_bits_that_somebody_changed_are_not_used(self, tmp_path: Path, bits: str) -> None:
        memory = Memory(tmp_path / "answers.db")
        self.survey.answer({"mood": "good"}, memory=memory)
        with closing(sqlite3.connect(memory.path)) as file, file:
            file.execute("UPDATE permanent SET bits = ?", (bits,))
        with raises_code("E-SURVEY-MEMORY", kind=StoreError):
            self.survey.answer({"mood": "good"}, memory=memory)

    def test_only_its_owner_reads_it(self, tmp_path: Path) -> None:
        memory = Memory(tmp_path / "answers.db")
        self.survey.answer({"mood": "good"}, memory=memory)
        assert stat.S_IMODE(memory.path.stat().st_mode) == 0o600

    def test_a_permanent_answer_needs_one(self) -> None:
        with raises_code("E-SURVEY-MEMORY"):
            self.survey.answer({"mood": "good"})

    def test_a_file_that_is_no_memory_is_left_as_it_is(self, tmp_path: Path) -> None:
        file = tmp_path / "notes.txt"
        file.write_text("not a memory" * 100)
        with raises_code("E-SURVEY-MEMORY", kind=StoreError):
            self.survey.answer({"mood": "good"}, memory=Memory(file))
        assert file.read_text() == "not a memory" * 100

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with raises_code("E-OUTPUT-UNWRITABLE"):
            self.survey.answer({"mood": "good"}, memory=Memory(tmp_path / "no" / "answers.db"))


@pytest.mark.parametrize(
    ("epsilon", "code"),
    [
        ("0x" + "f" * 4_000, "E-ARGUMENT-RANGE"),
        ("1" * 5_000, "E-NUMBER-FORM"),
        ("[" * 5_000, "E-FILE-FORM"),
    ],
)
def test_what_is_too_long_in_a_file_is_a_mistake(tmp_path: Path, epsilon: str, code: str) -> None:
    file = tmp_path / "class.toml"
    file.write_text(f'[questions.cheated]\nchoices = ["yes", "no"]\nepsilon = {epsilon}\n')
    with raises_code(code) as caught:
        read_survey(file)
    assert "ffff" not in str(caught.value)
