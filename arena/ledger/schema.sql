-- One tournament. Lists and maps are JSON text; times are microseconds.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The versions of bots. Their names are labels, such as `mine` and `mine@2`.
CREATE TABLE entrants (
    name TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    language TEXT NOT NULL,
    declared_version TEXT NOT NULL, -- what the bot calls itself
    deterministic INTEGER NOT NULL,
    parallel INTEGER NOT NULL,
    left_out TEXT, -- why it took no part when it was last tried; NULL: it did
    builds TEXT NOT NULL, -- hashes over what its build made
    author TEXT -- who made it, as its bot.toml says; NULL: it does not say
) WITHOUT ROWID;

-- The pictures of authors, by the names that stand there, which are hashes over the bytes.
CREATE TABLE avatars (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;

-- Who joined and left the field, in this order.
CREATE TABLE field_events (
    n INTEGER PRIMARY KEY,
    round INTEGER NOT NULL, -- from which on it holds
    place INTEGER NOT NULL, -- where that round begins in the schedule
    kind TEXT NOT NULL, -- join, leave
    bot TEXT NOT NULL REFERENCES entrants(name),
    stops INTEGER -- leave: from which place on its games are left out, in rounds that were drawn before
);

-- When that was recorded, and what the user said about it.
CREATE TABLE field_notes (
    event INTEGER PRIMARY KEY REFERENCES field_events(n),
    moment TEXT NOT NULL, -- UTC
    note TEXT NOT NULL
);

-- How many games were recorded on each day, in UTC.
CREATE TABLE days (day TEXT PRIMARY KEY, games INTEGER NOT NULL) WITHOUT ROWID;

-- The blocks of the rounds that were drawn.
CREATE TABLE blocks (
    place INTEGER PRIMARY KEY, -- of its first game
    round INTEGER NOT NULL,
    number INTEGER NOT NULL, -- among the blocks of as many players
    bots TEXT NOT NULL -- in their base order
);

CREATE TABLE games (
    id TEXT PRIMARY KEY,
    ord INTEGER NOT NULL UNIQUE, -- place in the schedule
    players INTEGER NOT NULL,
    block INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    seed TEXT NOT NULL, -- hex
    ending TEXT NOT NULL,
    retired TEXT NOT NULL, -- seats in the order in which they retired
    digest TEXT NOT NULL, -- over all steps and events
    engine TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE seats (
    game TEXT NOT NULL REFERENCES games(id),
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL REFERENCES entrants(name),
    rank INTEGER NOT NULL,
    scores TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;

-- What is long of a game, packed: see arena/ledger/packing.py. With row ids, as other tables would break rows up.
CREATE TABLE times (game TEXT PRIMARY KEY REFERENCES games(id), data BLOB NOT NULL); -- of each decision, by seat
CREATE TABLE steps (game TEXT PRIMARY KEY REFERENCES games(id), data BLOB NOT NULL);

CREATE TABLE faults (
    game TEXT NOT NULL REFERENCES games(id),
    n INTEGER NOT NULL,
    seat INTEGER, -- NULL: charged to nobody
    turn INTEGER,
    code TEXT NOT NULL,
    text TEXT NOT NULL,
    stderr TEXT NOT NULL,
    PRIMARY KEY (game, n)
) WITHOUT ROWID;
CREATE INDEX faults_by_code ON faults (code);

-- Games that failed through no fault that a bot was seen to make, and are played again.
CREATE TABLE voids (
    n INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    attempt INTEGER NOT NULL, -- from 1
    bots TEXT NOT NULL, -- by seat
    error TEXT NOT NULL,
    lost INTEGER NOT NULL, -- games that were lost together because their worker ended; 0: it did not
    charged TEXT, -- the bot to which it is charged, without which the game is played
    UNIQUE (game, attempt)
);

-- All that was recorded, in the order of recording, a JSON array a row. The head of a ledger is a hash over these.
CREATE TABLE chain (n INTEGER PRIMARY KEY, entry TEXT NOT NULL);
