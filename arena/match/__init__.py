"""One match as the referee judges it: seats, strikes, clocks and the transcript. It knows no process and no socket."""
