package main

import "github.com/vmihailenco/msgpack/v5"

// Hello says who this bot is (protocol.md 3.1).
type Hello struct {
	Type          string   `msgpack:"type"`
	Protocol      [2]int   `msgpack:"protocol"`
	Name          string   `msgpack:"name"`
	Version       string   `msgpack:"version"`
	Language      string   `msgpack:"language"`
	Games         []string `msgpack:"games,omitempty"` // none: any
	Parallel      int      `msgpack:"parallel"`
	Deterministic bool     `msgpack:"deterministic"`
}

// Act answers one Decide (3.2). Type, GameID and Turn are filled in by the client.
type Act struct {
	Type    string             `msgpack:"type"`
	GameID  string             `msgpack:"game_id"`
	Turn    int                `msgpack:"turn"`
	Index   int                `msgpack:"index"`
	Note    string             `msgpack:"note,omitempty"`
	Metrics map[string]float64 `msgpack:"metrics,omitempty"`
}

// Welcome is the referee's answer to Hello (4.1).
type Welcome struct {
	Type     string `msgpack:"type"`
	Protocol [2]int `msgpack:"protocol"`
	Limits   struct {
		Frame   int `msgpack:"frame"`
		Decide  int `msgpack:"decide"`
		Strikes int `msgpack:"strikes"`
	} `msgpack:"limits"`
}

// Clock is the time that is left, in milliseconds (5.2).
type Clock struct {
	Move int `msgpack:"move"`
	Bank int `msgpack:"bank"`
}

// Start begins a game (4.2), or restates it. What Edition holds depends on Game: see Read.
type Start struct {
	Type    string             `msgpack:"type"`
	GameID  string             `msgpack:"game_id"`
	Game    string             `msgpack:"game"`
	Edition msgpack.RawMessage `msgpack:"edition"`
	Seat    int                `msgpack:"seat"`
	Players int                `msgpack:"players"`
	Clock   *Clock             `msgpack:"clock"` // nil: no limit
	BotSeed uint64             `msgpack:"bot_seed"`
}

// Decide asks for one of Actions (4.3). What it holds depends on the game: see Read.
type Decide struct {
	Type    string               `msgpack:"type"`
	GameID  string               `msgpack:"game_id"`
	Turn    int                  `msgpack:"turn"`
	Events  []map[string]any     `msgpack:"events"`
	View    msgpack.RawMessage   `msgpack:"view"`
	Actions []msgpack.RawMessage `msgpack:"actions"`
	Clock   *Clock               `msgpack:"clock"`
}

// Fault says what was wrong (4.4). It must not be answered.
type Fault struct {
	Type        string  `msgpack:"type"`
	GameID      *string `msgpack:"game_id"`
	Turn        *int    `msgpack:"turn"`
	Code        string  `msgpack:"code"`
	Text        string  `msgpack:"text"`
	StrikesLeft *int    `msgpack:"strikes_left"`
}

// End ends a game (4.5), with ranks and scores by seat.
type End struct {
	Type   string           `msgpack:"type"`
	GameID string           `msgpack:"game_id"`
	Ending string           `msgpack:"ending"`
	Ranks  []int            `msgpack:"ranks"`
	Scores []map[string]int `msgpack:"scores"`
}

// Hidden is what a view says of one deck (4.7). Cards are numbers.
type Hidden struct {
	Shuffle int              `msgpack:"shuffle"`
	Pools   map[string][]int `msgpack:"pools"`
	Drawn   [][]int          `msgpack:"drawn"`
	Shown   [][]int          `msgpack:"shown"`
	Lacked  [][]Lacked       `msgpack:"lacked"`
	Yours   []int            `msgpack:"yours"`
}

// Lacked says that a hand held none of Cards after so many of its draws and of its shown cards.
type Lacked struct {
	_msgpack struct{} `msgpack:",as_array"`
	Cards    []int
	Draws    int
	Shown    int
}
