"""The verbs ``sfumato demo …``: what sfumato shows, on tables that come with it."""
