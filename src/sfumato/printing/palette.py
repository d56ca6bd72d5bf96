"""Colours and letters that all pictures and pages share."""

__all__ = ["FAINT", "FONT", "GREY", "INK", "LIGHT", "MAIN", "OTHER"]

#: The result itself; what it is compared with; what is only context.
MAIN, OTHER, GREY, FAINT, INK = "#0072b2", "#d55e00", "#767676", "#d9d9d9", "#222222"
#: Bars are light where intervals are drawn over them.
LIGHT = "#7fb8d9"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
