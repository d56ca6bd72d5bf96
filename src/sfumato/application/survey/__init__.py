"""Surveys whose answers are randomised at the person's side: made, answered, tried, collected."""
