"""Every kind of release gives a certificate that holds, and that says nothing private."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import jsonschema
import pytest

import sfumato as sf
from sfumato.audit.certificate import certificate_schema, check_certificate
from sfumato.sampling import SeededSource
from tests.refusing import raises_code
from tests.tables.certificate.made import CASES, SOMEBODY, certificate_of, certified, table


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_release_gives_a_certificate_that_holds(name: str) -> None:
    verdict = check_certificate(certified(name))
    assert verdict.problem == ""
    assert verdict.proved
    assert verdict.trusted
    assert verdict.again


@pytest.mark.full
@pytest.mark.parametrize("name", CASES)
def test_certificates_are_of_the_published_form(name: str) -> None:
    schema = certificate_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(certified(name)))


def test_the_published_form_refuses_another_field() -> None:
    document = json.loads(certified("rows")) | {"note": "all is well"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(certificate_schema()).validate(document)


@pytest.mark.parametrize("name", CASES)
def test_a_certificate_has_no_cell_and_no_path(name: str) -> None:
    text = certified(name)
    assert text.isascii()
    assert SOMEBODY not in text
    assert str(Path(tempfile.gettempdir())) not in text
    assert str(Path.cwd()) not in text
    assert "middle" not in json.dumps(json.loads(text)["query"])


def test_noise_from_a_seed_does_not_hold() -> None:
    release = table(unit="row").agg(n=sf.count()).release(epsilon=1, source=SeededSource(1))
    certificate = certificate_of(release)
    assert "NOT PRIVATE" in str(certificate)
    assert "NOT PRIVATE" in check_certificate(certificate.to_json()).problem


def test_a_certificate_is_saved_once(tmp_path: Path) -> None:
    certificate = certificate_of(table(unit="row").agg(n=sf.count()).release(epsilon=1))
    file = tmp_path / "release.json"
    certificate.save(file)
    assert file.read_text(encoding="ascii") == certificate.to_json()
    with raises_code("E-OUTPUT-EXISTS"):
        certificate.save(file)
    with raises_code("E-OUTPUT-UNWRITABLE"):
        certificate.save(tmp_path / "no-such-folder" / "release.json")
