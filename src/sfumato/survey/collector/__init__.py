"""What the reports of many people say: sums of them, estimates, and how sure they are."""
