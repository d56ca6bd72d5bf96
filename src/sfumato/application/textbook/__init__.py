"""The figures that the sources print, computed here and held beside them, each with a twin."""
