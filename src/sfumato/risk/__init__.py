"""How exposed are people already, and attacks that show it.

For the data owner: results are exact, not private, and their type says so.
"""

__all__: list[str] = []
