"""A tour of three minutes: exposed, attacked, answered, refused, checked, forged, audited."""

from typing import TYPE_CHECKING

from sfumato.application.demo.tour.page import check_report, tour_page
from sfumato.application.demo.tour.route import STOPS, TITLE, check_engine, prepared, walk_of
from sfumato.application.demo.tour.stop import copy_files
from sfumato.doors import door

__all__ = [
    "STOPS",
    "TITLE",
    "check_engine",
    "check_report",
    "copy_files",
    "prepared",
    "tour_page",
    "walk_of",
]

if TYPE_CHECKING:
    from sfumato.application.demo.tour.stop import Visited

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(__name__, {"stop": "Visited"})
