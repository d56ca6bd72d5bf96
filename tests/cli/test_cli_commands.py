"""The shell as a newcomer meets it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato
from sfumato.cli.output import say_aside, write_lines
from sfumato.errors import InternalError, NoEnclosureError

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSPITAL_A = EXAMPLES / "hospital-a-generalised.csv"
HOSPITAL_B = EXAMPLES / "hospital-b-generalised.csv"
EXPOSURE = ["entropy", HOSPITAL_A, "--columns", "diagnosis", "--given", "age,sex,zip,smoker"]


def python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_m_risk_8_exposure_in_words(shell: Shell) -> None:
    done = shell(*EXPOSURE)
    assert done.code == 0
    assert done.err == ""
    assert done.out.splitlines() == [
        "entropy of diagnosis given age, sex, zip, smoker: 0.9728 bits",
        "as uncertain as a choice among 1.963 equally likely outcomes",
        (
            "knowing age, sex, zip, smoker lowers the uncertainty about diagnosis "
            "from 2.948 to 0.9728 bits, by 1.975"
        ),
        "9 rows, 8 outcomes; 4 equivalence classes",
        "each row is one observation",
        "not private: exact figures, for the data owner",
    ]


def test_m_risk_8_exposure_as_json_in_a_pipe() -> None:
    done = python("-m", "sfumato", *EXPOSURE, "--json")
    assert done.stderr == ""
    read = json.loads(done.stdout)
    assert [round(read[name], 6) for name in ("prior", "value", "learned")] == [
        2.947703,
        0.972765,
        1.974938,
    ]
    assert read["private"] is False


def test_m_info_1_orders_have_their_names(shell: Shell) -> None:
    for order, name in [
        ("0", "Hartley entropy"),
        ("2", "collision entropy"),
        ("inf", "min-entropy"),
        ("0.5", "Rényi entropy of order 0.5"),
    ]:
        done = shell("entropy", HOSPITAL_A, "--columns", "sex", "--order", order)
        assert done.out.startswith(f"{name} of sex: ")


def test_m_div_1_divergence_in_words(shell: Shell) -> None:
    done = shell("divergence", HOSPITAL_A, HOSPITAL_B, "--columns", "age,sex")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "how far apart P and Q are in age, sex"
    assert lines[2].split() == ["Kullback-Leibler", "divergence", "(nats)", "infinity", "0.608198"]
    assert lines[3].split() == ["max", "divergence", "(nats)", "infinity", "0.810930"]
    assert lines[4].split() == ["statistical", "distance", "0.444444"]
    assert lines[5:] == [
        "9 rows in P, 6 in Q; 4 outcomes, of which 2 only in P and 0 only in Q",
        "infinity: P has outcomes that Q never shows",
        "each row is one observation",
        "not private: exact figures, for the data owner",
    ]


def test_infinity_is_text_in_json(shell: Shell) -> None:
    done = shell("divergence", HOSPITAL_A, HOSPITAL_B, "--json", "--base", "2", "--delta", "0.1")
    read = json.loads(done.out)
    assert (read["p_from_q"], read["unit"], read["delta"]) == ("Infinity", "bits", 0.1)


def test_columns_can_be_repeated_and_quoted(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text('"height, cm",sex,age\n180,m,1\n180,f,1\n', encoding="utf-8")
    done = shell("entropy", path, "--columns", '"height, cm", sex', "--columns", "age", "--json")
    assert json.loads(done.out)["columns"] == ["height, cm", "sex", "age"]


def test_weights_and_their_hint(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "counted.csv"
    path.write_text("x,count\na,3\nb,1\n", encoding="utf-8")
    plain = shell("entropy", path, "--columns", "x")
    assert "hint: if count says how often each row occurs, name it as the weights" in plain.out
    weighed = shell("entropy", path, "--columns", "x", "--weights", "count")
    assert "entropy of x: 0.8113 bits" in weighed.out
    assert "each row counts as much as count says" in weighed.out
    assert "hint" not in weighed.out


@pytest.mark.parametrize("arguments", [["--help"], ["entropy", "--help"], ["divergence", "-h"]])
def test_help_shows_an_example(shell: Shell, arguments: list[str]) -> None:
    done = shell(*arguments)
    assert done.code == 0
    assert "Example" in done.out
    assert "\x1b" not in done.out


def test_version_in_both_ways(shell: Shell) -> None:
    assert shell("--version").out == f"sfumato {sfumato.__version__}\n"
    assert python("-m", "sfumato", "--version").stdout == f"sfumato {sfumato.__version__}\n"


ENDING = """
import atexit, sys
from sfumato.cli import app
def work(verb=app.main):
    atexit.register(print, "told of the end")
    verb()
app.main = work
app.command()
"""


@pytest.mark.parametrize(("words", "code"), [(["--version"], 0), (["query", "--nonsense"], 2)])
def test_a_process_ends_with_its_code_and_tells_who_asked(words: list[str], code: int) -> None:
    done = python("-c", ENDING, *words)
    assert (done.returncode, done.stdout.endswith("told of the end\n")) == (code, True)


def test_help_loads_no_engine() -> None:
    script = (
        "import sys; sys.argv = ['sfumato', '--help']\n"
        "from sfumato.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'ibis', 'duckdb', 'pandas', 'polars', 'pyarrow', 'scipy', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    assert python("-c", script).stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--columns", "diagnosys"], "did you mean 'diagnosis'"),
        (["--columns", ""], "no column is named"),
        (["--columns", "age", "--order", "-1"], "order must"),
        (["--columns", "age", "--base", "ten"], "--base takes a number above 1, or e"),
        (["--columns", "age", "--given", "age"], "'age' is named twice"),
        (["--columns", "age", "--weights", "name"], "9 of the 9 rows"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    shell: Shell, arguments: list[str], sentence: str
) -> None:
    done = shell("entropy", HOSPITAL_A, *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1


def test_wrong_usage_is_exit_2(shell: Shell) -> None:
    for arguments in ([], ["entropy"], ["entropy", HOSPITAL_A], ["nonsense"]):
        done = shell(*arguments)
        assert done.code == 2
        assert "Usage: sfumato" in done.err


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (
            NoEnclosureError("E-INTERNAL", "no bound can be given"),
            3,
            "refused, no bound can be given",
        ),
        (InternalError("E-INTERNAL", "a check failed"), 1, "(a check failed); please report it"),
        (ZeroDivisionError("a cell"), 1, "(ZeroDivisionError); please report it"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_other_endings_have_their_own_codes(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.delenv("SFUMATO_DEBUG", raising=False)
    monkeypatch.setattr("sfumato.application.measure_entropy", fail)
    done = shell("entropy", HOSPITAL_A, "--columns", "age")
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "a cell" not in done.err
    assert bool(done.err) == bool(said)


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.cli.failures import explained

    def divide() -> None:
        with explained():
            _ = 1 / 0

    monkeypatch.setenv("SFUMATO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        divide()


def test_a_closed_pipe_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "sfumato", *map(str, EXPOSURE)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def all_that_comes(controller: int) -> str:
    """What is written to a terminal, from its other end, which is an error once it is closed."""
    pieces = []
    with suppress(OSError):
        while piece := os.read(controller, 1 << 16):
            pieces.append(piece)
    os.close(controller)
    return b"".join(pieces).decode()


@pytest.mark.full
def test_a_terminal_gets_a_spinner_and_a_bold_headline_and_a_pipe_gets_neither() -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "sfumato", *map(str, EXPOSURE)]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=environment) as running:
        os.close(terminal)
        shown = all_that_comes(controller)
    assert running.returncode == 0
    assert "counting" in shown
    assert "\x1b[1mentropy of diagnosis" in shown
    piped = python("-m", "sfumato", *EXPOSURE)
    assert "\x1b" not in piped.stdout + piped.stderr


def test_column_names_cannot_steer_the_terminal(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "escape.csv"
    path.write_text("\x1b[31mred\na\n", encoding="utf-8")
    done = shell("entropy", path, "--columns", "\x1b[31mred")
    assert done.out.startswith("entropy of \\x1b[31mred: 0 bits")
    assert "\x1b" not in shell("entropy", path, "--columns", "rad").err


def test_whatever_is_written_for_a_person_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_lines("a\x07b\x9bc", "d\u202ee", "Größe 1")
    say_aside("f\rg")
    written = capsys.readouterr()
    assert written.out == "a\\x07b\\x9bc\nd\\u202ee\nGröße 1\n"
    assert written.err == "sfumato: f\\rg\n"


def test_a_code_of_a_column_in_words_and_as_json(shell: Shell) -> None:
    done = shell("entropy", HOSPITAL_A, "--columns", "sex", "--code")
    assert done.code == 0
    assert done.out.splitlines() == [
        "a Huffman code of sex takes 1.000 bits a row; entropy 0.9911 bits",
        "all rows: 9 bits by it, at most 10 by an arithmetic code; information content 8.920",
        "value    share  −log2 p  length  codeword",
        "male    55.6 %   0.8480       1  0",
        "female  44.4 %    1.170       1  1",
        "9 rows, 2 outcomes",
        "each row is one observation",
        "not private: exact figures, for the data owner",
    ]
    read = json.loads(shell("entropy", HOSPITAL_A, "--columns", "sex", "--code", "--json").out)
    assert (read["private"], read["expected_length"], read["arithmetic"]) == (False, 1.0, 10)


@pytest.mark.parametrize(
    "more", [["--given", "age"], ["--order", "2"], ["--base", "e"], ["--weights", "zip"]]
)
def test_a_code_stands_alone(shell: Shell, more: list[str]) -> None:
    done = shell("entropy", HOSPITAL_A, "--columns", "sex", "--code", *more)
    assert done.code == 2
    assert "--code takes no --given, --weights, --order or --base" in done.err
