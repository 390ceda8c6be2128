"""Rating games: a rated table, error bars and comparisons, as pure functions."""

import logging

from arena.rating.base import (
    HALF,
    REACH,
    Interval,
    RankBand,
    RatingColumn,
    RatingColumns,
    RatingInput,
    Ratings,
    RatingSystem,
    SkillDifference,
    SkillDifferences,
    half,
)
from arena.rating.joint.systems import JointTrueSkill
from arena.rating.order import OrderEstimate
from arena.rating.rated_table import RatedBot, RatedTable, finish, rate, rated_table
from arena.rating.score_rating import ScoreError, ScoreRating
from arena.rating.sequential_trueskill import SequentialTrueSkill
from arena.rating.systems import DEFAULT_SYSTEM, NAMES, SYSTEMS, RatingError, rating_system

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent until somebody asks for the log
