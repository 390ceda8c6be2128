"""A bot that plays together with another one, as ROLE says: `Sender` or `Receiver`. A note says what has come."""

import json
import os

import collusion
from raw_client import play

partner = getattr(collusion, os.environ["ROLE"])()
play(lambda _: {"note": json.dumps(partner.decide())}, os.environ["ROLE"])
os._exit(0)
