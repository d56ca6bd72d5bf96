"""An answer: values, error bars, guarantee and receipt."""
