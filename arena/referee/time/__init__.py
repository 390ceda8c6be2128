"""Time at the referee: what a bot is charged for, the pauses that look like questions, and the timers of waits."""
