-- Who made a version of a bot, as its bot.toml says, in JSON; NULL: it does not say.
ALTER TABLE entrants ADD COLUMN author TEXT;

-- The pictures of authors, by the names that stand there, which are hashes over the bytes.
CREATE TABLE avatars (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
