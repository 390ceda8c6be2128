"""Run the commands of a plan when something happens in its tournament."""
