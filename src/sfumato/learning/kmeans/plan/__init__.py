"""What will be done to the points: chosen by public numbers alone, with what each step spends."""
