"""The verbs ``sfumato attack …``: what others could find in what is published."""
