"""An answer: values, confidence intervals, guarantee and receipt."""
