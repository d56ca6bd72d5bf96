"""The verbs ``sfumato survey …``: answers that are randomised at the person's side."""
