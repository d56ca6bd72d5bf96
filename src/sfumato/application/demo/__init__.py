"""Walks through what sfumato shows, on tables that come with it."""

from sfumato.application.demo.hospital import walk_hospital
from sfumato.application.demo.tables import HospitalTable, copy_tables, hospital_table
from sfumato.application.demo.walk import Walk

__all__ = ["HospitalTable", "Walk", "copy_tables", "hospital_table", "walk_hospital"]
