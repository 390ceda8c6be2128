package main

import (
	"strconv"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
)

// What ravensburger puts into messages (protocol.md 11). Texts that may be nil are "" here when they are.

// RavensburgerEdition is the rules of a game, as Start brings them (11.3).
type RavensburgerEdition struct {
	Name       string `msgpack:"name"`
	Parameters struct {
		GoalHandLimit int  `msgpack:"goal_hand_limit"`
		Backwards     bool `msgpack:"backwards"`
		KeepEvents    bool `msgpack:"keep_events"`
		EventSquares  bool `msgpack:"event_squares"`
		MaxRounds     int  `msgpack:"max_rounds"`
	} `msgpack:"parameters"`
	Board struct {
		Goal       int      `msgpack:"goal"`
		Rose       []int    `msgpack:"rose"`
		Stage      []int    `msgpack:"stage"`
		StageNames []string `msgpack:"stage_names"`
		Spyglass   []int    `msgpack:"spyglass"`
		Handcuffs  []int    `msgpack:"handcuffs"`
	} `msgpack:"board"`
	Cards struct {
		Coach     []int `msgpack:"coach"`
		Train     []int `msgpack:"train"`
		Steamer   []int `msgpack:"steamer"`
		Elephant  []int `msgpack:"elephant"`
		Rose      int   `msgpack:"rose"`
		Handcuffs int   `msgpack:"handcuffs"`
		Purse     int   `msgpack:"purse"`
	} `msgpack:"cards"`
	Events []struct {
		Card   string `msgpack:"card"`
		Effect string `msgpack:"effect"`
		Steps  int    `msgpack:"steps"`
		Cards  int    `msgpack:"cards"`
		Count  int    `msgpack:"count"`
	} `msgpack:"events"`
}

// RavensburgerAction is one thing that can be done (11.5). Do says what, and which other fields are set.
type RavensburgerAction struct {
	Do     string  `msgpack:"do"`
	Card   string  `msgpack:"card,omitempty"`
	To     *Target `msgpack:"to,omitempty"`
	Victim *int    `msgpack:"victim,omitempty"`
	Count  int     `msgpack:"count,omitempty"`
}

// Target is where an action leads: a travel card to a square, the rose to a mode.
type Target struct {
	Square int
	Mode   string // "": it is a square
}

// DecodeMsgpack reads a number or a text.
func (target *Target) DecodeMsgpack(decoder *msgpack.Decoder) error {
	value, err := decoder.DecodeRaw()
	if err != nil {
		return err
	}
	if msgpack.Unmarshal(value, &target.Mode) == nil {
		return nil
	}
	return msgpack.Unmarshal(value, &target.Square)
}

// EncodeMsgpack writes what DecodeMsgpack reads.
func (target Target) EncodeMsgpack(encoder *msgpack.Encoder) error {
	if target.Mode != "" {
		return encoder.EncodeString(target.Mode)
	}
	return encoder.EncodeInt(int64(target.Square))
}

// RavensburgerView is all that a seat may know (11.7). Lists go by seat.
type RavensburgerView struct {
	Seat   *int   `msgpack:"seat"`
	OnTurn *int   `msgpack:"on_turn"`
	Phase  string `msgpack:"phase"`
	Turn   *struct {
		Further int     `msgpack:"further"`
		Stage   bool    `msgpack:"stage"`
		Leap    bool    `msgpack:"leap"`
		Waiting bool    `msgpack:"waiting"`
		Moved   bool    `msgpack:"moved"`
		Beyond  bool    `msgpack:"beyond"`
		KeptNow bool    `msgpack:"kept_now"`
		Orders  int     `msgpack:"orders"`
		Pending [][]any `msgpack:"pending"`
	} `msgpack:"turn"`
	Round   int        `msgpack:"round"`
	First   int        `msgpack:"first"`
	Rose    string     `msgpack:"rose"`
	Square  []int      `msgpack:"square"`
	Cards   []int      `msgpack:"cards"`
	Kept    []bool     `msgpack:"kept"`
	Known   [][]string `msgpack:"known"`
	Retired []int      `msgpack:"retired"`
	Hand    []string   `msgpack:"hand"`
	Event   string     `msgpack:"event"`
	Drawn   string     `msgpack:"drawn"`
	Decks   struct {
		Action int `msgpack:"action"`
		Event  int `msgpack:"event"`
	} `msgpack:"decks"`
	Piles struct {
		Action []string `msgpack:"action"`
		Event  []string `msgpack:"event"`
	} `msgpack:"piles"`
	Hidden struct {
		Action Hidden `msgpack:"action"`
		Event  Hidden `msgpack:"event"`
	} `msgpack:"hidden"`
}

// Stride is how far a card goes: "train-4" goes 4. A special card is worth as much as a long one.
func Stride(card string) float64 {
	_, value, _ := strings.Cut(card, "-")
	if steps, err := strconv.Atoi(value); err == nil {
		return float64(steps)
	}
	return 4
}
