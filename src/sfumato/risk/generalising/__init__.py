"""Making a table coarser until it is safe enough, with as little loss as possible."""
