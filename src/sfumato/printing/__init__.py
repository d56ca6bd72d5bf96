"""How a result is shown: lines for a terminal, JSON, pages and small pictures."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.printing.layout import (
        PAGE,
        aligned,
        all_of_these,
        any_of_these,
        as_written,
        counted,
        cut,
        figure,
        fitted,
        listed,
        named,
        percentage,
        places,
        printable,
        rounded,
        rows_of_two,
        sentences,
        setting,
        share,
        table,
        to_places,
        tree,
        wrapped,
    )
    from sfumato.printing.page import (
        FAINT,
        FONT,
        GREY,
        INK,
        LIGHT,
        MAIN,
        OTHER,
        STYLE,
        Chart,
        as_svg,
        as_text,
        draw_in,
        drawn,
        image,
        paragraph,
        pictured,
        table_of,
        whole_page,
    )
    from sfumato.printing.printed import NOT_PRIVATE, NotPrivate, Printed, for_json, for_json_all

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "layout": (
                "PAGE aligned all_of_these any_of_these as_written counted cut figure fitted "
                "listed named percentage places printable rounded rows_of_two sentences "
                "setting share table to_places tree wrapped"
            ),
            "page": (
                "Chart FAINT FONT GREY INK LIGHT MAIN OTHER STYLE as_svg as_text draw_in "
                "drawn image paragraph pictured table_of whole_page"
            ),
            "printed": "NOT_PRIVATE NotPrivate Printed for_json for_json_all",
        },
    )
