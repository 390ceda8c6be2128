"""One game as the referee judges it: seats, strikes, clocks and the transcript. It uses no process and no socket."""
