package main

import "github.com/vmihailenco/msgpack/v5"

// What kosmos puts into messages (protocol.md 10). Texts that may be nil are "" here when they are.

// KosmosEdition is the rules of a game, as Start brings them (10.3).
type KosmosEdition struct {
	Name       string `msgpack:"name"`
	Parameters struct {
		ChitsFaceDown      bool   `msgpack:"chits_face_down"`
		BlueChit           string `msgpack:"blue_chit"`
		RefuseChits        bool   `msgpack:"refuse_chits"`
		DeclineChitCards   bool   `msgpack:"decline_chit_cards"`
		OverLimit          string `msgpack:"over_limit"`
		IndiaEvents        bool   `msgpack:"india_events"`
		HomeCards          string `msgpack:"home_cards"`
		LateFirstLoses     bool   `msgpack:"late_first_loses"`
		BalloonBreaksPairs bool   `msgpack:"balloon_breaks_pairs"`
		InattentionDays    int    `msgpack:"inattention_days"`
		MaxRounds          int    `msgpack:"max_rounds"`
	} `msgpack:"parameters"`
	Board struct {
		Cities []string `msgpack:"cities"`
		Legs   []Leg    `msgpack:"legs"`
	} `msgpack:"board"`
	Events map[string]int `msgpack:"events"`
	Chits  struct {
		Red  map[string]int `msgpack:"red"`
		Blue map[string]int `msgpack:"blue"`
	} `msgpack:"chits"`
}

// Leg has the ways to travel it, each the "train" and "ship" cards that it asks for; none: the elephant's leg.
type Leg struct{ Options [][]string }

// DecodeMsgpack reads the list of options, or the text "elephant" in its place.
func (leg *Leg) DecodeMsgpack(decoder *msgpack.Decoder) error {
	value, err := decoder.DecodeRaw()
	if err != nil {
		return err
	}
	var word string
	if msgpack.Unmarshal(value, &word) == nil {
		return nil
	}
	return msgpack.Unmarshal(value, &leg.Options)
}

// EncodeMsgpack writes what DecodeMsgpack reads.
func (leg Leg) EncodeMsgpack(encoder *msgpack.Encoder) error {
	if leg.Options == nil {
		return encoder.EncodeString("elephant")
	}
	return encoder.Encode(leg.Options)
}

// KosmosAction is one thing that can be done (10.5). Do says what, and which other fields are set.
type KosmosAction struct {
	Do     string   `msgpack:"do"`
	Place  string   `msgpack:"place,omitempty"`
	Card   string   `msgpack:"card,omitempty"`
	By     string   `msgpack:"by,omitempty"`
	Places []string `msgpack:"places,omitempty"`
	To     string   `msgpack:"to,omitempty"`
	Gold   int      `msgpack:"gold,omitempty"`
	Deck   string   `msgpack:"deck,omitempty"`
	Cards  []string `msgpack:"cards,omitempty"`
	Days   int      `msgpack:"days,omitempty"` // before any roll
	Die    bool     `msgpack:"die,omitempty"`  // a roll is added
	Events []string `msgpack:"events,omitempty"`
	Uses   []Use    `msgpack:"uses,omitempty"`
	Roll   int      `msgpack:"roll,omitempty"`
	Chit   string   `msgpack:"chit,omitempty"`
	Colour string   `msgpack:"colour,omitempty"`
}

// Use says what an event card, or the ride of the place "balloon", does on a leg.
type Use struct {
	Card string `msgpack:"card"`
	As   string `msgpack:"as"`
	On   string `msgpack:"on"`
}

// KosmosView is all that a seat may know (10.7). Lists go by seat, by place or by city.
type KosmosView struct {
	Seat        *int     `msgpack:"seat"`
	OnTurn      *int     `msgpack:"on_turn"`
	Phase       string   `msgpack:"phase"`
	Round       int      `msgpack:"round"`
	First       int      `msgpack:"first"`
	Marker      int      `msgpack:"marker"`
	MarkerTaken bool     `msgpack:"marker_taken"`
	Waiting     []int    `msgpack:"waiting"`
	Travelling  int      `msgpack:"travelling"`
	HomeBefore  int      `msgpack:"home_before"`
	Detective   string   `msgpack:"detective"`
	Supply      int      `msgpack:"supply"`
	Display     []string `msgpack:"display"`
	Taken       string   `msgpack:"taken"`
	Balloon     bool     `msgpack:"balloon"`
	Legs        int      `msgpack:"legs"`
	Leg         *struct {
		Days int `msgpack:"days"`
		Roll int `msgpack:"roll"`
	} `msgpack:"leg"`
	Chit *struct {
		Colour string `msgpack:"colour"`
		Chit   string `msgpack:"chit"`
	} `msgpack:"chit"`
	City        []int      `msgpack:"city"`
	Days        []int      `msgpack:"days"`
	Gold        []int      `msgpack:"gold"`
	TravelCards []int      `msgpack:"travel_cards"`
	EventCards  []int      `msgpack:"event_cards"`
	Known       [][]string `msgpack:"known"`
	Arrived     []int      `msgpack:"arrived"`
	Retired     []int      `msgpack:"retired"`
	Hand        []string   `msgpack:"hand"`
	Red         []string   `msgpack:"red"`
	Blue        []string   `msgpack:"blue"`
	FaceDown    *struct {
		Red  map[string]int `msgpack:"red"`
		Blue map[string]int `msgpack:"blue"`
	} `msgpack:"face_down"`
	Decks struct {
		Travel int `msgpack:"travel"`
		Event  int `msgpack:"event"`
	} `msgpack:"decks"`
	Piles struct {
		Travel []string `msgpack:"travel"`
		Event  []string `msgpack:"event"`
	} `msgpack:"piles"`
	Hidden struct {
		Travel Hidden `msgpack:"travel"`
		Event  Hidden `msgpack:"event"`
	} `msgpack:"hidden"`
}

// DaysOf is 3 for "t3", a train of 3 days; the longer names of event cards are worth 0.
func DaysOf(card string) int {
	if len(card) != 2 || card[1] < '0' || card[1] > '9' {
		return 0
	}
	return int(card[1] - '0')
}
