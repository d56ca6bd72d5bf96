"""A tour of three minutes: exposed, attacked, answered, refused, checked, forged, audited."""

from sfumato.application.demo.tour.files import copy_files
from sfumato.application.demo.tour.page import check_report, tour_page
from sfumato.application.demo.tour.route import STOPS, TITLE, check_engine, prepared, walk_of

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
