"""The tutorials are followed as a whole, in a folder of their own, by tests/docs."""

collect_ignore_glob = ["tutorials/*.md"]
