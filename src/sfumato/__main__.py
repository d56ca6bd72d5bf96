"""``python -m sfumato`` is the command ``sfumato``."""

from sfumato.cli import command

if __name__ == "__main__":
    command()
