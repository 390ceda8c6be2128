-- The state of a league. Moments are seconds since 1970.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- All that was done, as in a ledger: see arena/ledger/chain.py.
CREATE TABLE chain (n INTEGER PRIMARY KEY, entry TEXT NOT NULL);

-- Who may submit, and who may do more.
CREATE TABLE members (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL, -- submitter, organiser
    secret TEXT NOT NULL UNIQUE, -- SHA-256 of the secret in their address
    is_paused INTEGER NOT NULL,
    is_removed INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    submitter TEXT NOT NULL REFERENCES members(name),
    via TEXT NOT NULL, -- drop, git, upload, remote
    received REAL NOT NULL,
    digest TEXT NOT NULL, -- over what was received; of a repository the commit
    state TEXT NOT NULL,
    reason TEXT, -- why it was refused
    fingerprint TEXT -- of its source
);
CREATE INDEX submissions_of ON submissions (submitter, id);

-- What happened to submissions.
CREATE TABLE steps (
    n INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES submissions(id),
    moment REAL NOT NULL,
    state TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX steps_of ON steps (submission, n);

CREATE TABLE rounds (
    season TEXT NOT NULL,
    number INTEGER NOT NULL,
    due REAL NOT NULL,
    field TEXT NOT NULL, -- JSON: the submission of each submitter
    games INTEGER NOT NULL, -- that the season had when it ended
    outcome TEXT, -- NULL: it is being played
    ended REAL,
    blocks INTEGER NOT NULL, -- of each bot at each number of players
    target INTEGER NOT NULL, -- how many since a bot joined, if none joins in this round
    PRIMARY KEY (season, number)
) WITHOUT ROWID;

-- Who has which marks after a round.
CREATE TABLE marks (
    season TEXT NOT NULL,
    round INTEGER NOT NULL,
    submitter TEXT NOT NULL,
    marks TEXT NOT NULL, -- JSON: a list
    PRIMARY KEY (season, round, submitter)
) WITHOUT ROWID;
