package main

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

type fields = map[string]any

func pack(t *testing.T, value any) msgpack.RawMessage {
	t.Helper()
	raw, err := msgpack.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func ask(t *testing.T, game string, edition, view fields, actions ...fields) int {
	t.Helper()
	table := &Table{Start: Start{Game: game, Edition: pack(t, edition)}, Random: rand.New(rand.NewPCG(1, 0))}
	asked := &Decide{View: pack(t, view)}
	for _, action := range actions {
		asked.Actions = append(asked.Actions, pack(t, action))
	}
	return decide(table, asked).Index
}

func TestTheQuickestLegIsTravelled(t *testing.T) {
	got := ask(t, "kosmos", fields{}, fields{"phase": "travel"},
		fields{"do": "stay"},
		fields{"do": "travel", "days": 9},
		fields{"do": "travel", "days": 6, "die": true},
		fields{"do": "travel", "days": 8})
	if got != 3 {
		t.Errorf("action %d, want 3", got)
	}
}

func TestNobodyComesHomeLateWhereThatLoses(t *testing.T) {
	home := fields{"do": "travel", "to": "London", "days": 6}
	for _, each := range []struct {
		days   []int
		strict bool
		want   int
	}{{[]int{75, 0}, true, 0}, {[]int{74, 0}, true, 1}, {[]int{75, 0, 0}, true, 1}, {[]int{75, 0}, false, 1}} {
		edition := fields{"parameters": fields{"late_first_loses": each.strict}}
		got := ask(t, "kosmos", edition, fields{"phase": "travel", "days": each.days}, fields{"do": "stay"}, home)
		if got != each.want {
			t.Errorf("%v: action %d, want %d", each, got, each.want)
		}
	}
}

func TestTheCardForTheNextLegIsTaken(t *testing.T) {
	edition := fields{"board": fields{"legs": []any{[][]string{{"ship", "ship"}}, "elephant"}}}
	view := fields{"phase": "take", "city": []int{0}, "hand": []string{"s8", "submarine"}}
	actions := []fields{
		{"do": "take", "place": "gold", "card": "t2"},
		{"do": "take", "place": "first", "card": "s8"}, // the same value twice counts once
		{"do": "take", "place": "event", "card": "s4"},
	}
	if got := ask(t, "kosmos", edition, view, actions...); got != 1 {
		t.Errorf("action %d, want 1", got)
	}
	view["city"] = []int{1} // no card helps the elephant, so the better place decides
	if got := ask(t, "kosmos", edition, view, actions...); got != 2 {
		t.Errorf("action %d, want 2", got)
	}
}

func TestTheLongestStrideIsTaken(t *testing.T) {
	got := ask(t, "ravensburger", fields{}, fields{"phase": "turn", "square": []int{5}},
		fields{"do": "play", "card": "train-2", "to": 7},
		fields{"do": "play", "card": "train-4", "to": 9},
		fields{"do": "play", "card": "train-4", "to": 1},
		fields{"do": "draw", "count": 2})
	if got != 1 {
		t.Errorf("action %d, want 1", got)
	}
}

func TestInAnotherGameAnyActionMayBeChosen(t *testing.T) {
	table := &Table{Start: Start{Game: "another"}, Random: rand.New(rand.NewPCG(1, 0))}
	chosen := map[int]bool{}
	for range 50 {
		chosen[decide(table, &Decide{Actions: make([]msgpack.RawMessage, 3)}).Index] = true
	}
	if len(chosen) != 3 {
		t.Errorf("chose %v, want all of 0, 1 and 2", chosen)
	}
}

// script is a connection that sends prepared messages and keeps what it receives.
type script struct {
	frames [][]byte
	heard  []fields
}

func (s *script) Send(frame []byte) error {
	var message fields
	err := msgpack.Unmarshal(frame, &message)
	s.heard = append(s.heard, message)
	return err
}

func (s *script) Receive() ([]byte, error) {
	if len(s.frames) == 0 {
		return nil, errors.New("nothing more was written down")
	}
	frame := s.frames[0]
	s.frames = s.frames[1:]
	return frame, nil
}

func TestASessionWithMessagesOfALaterVersion(t *testing.T) {
	connection := &script{}
	for _, message := range []fields{
		{"type": "welcome", "protocol": []int{1, 7}, "more": 1},
		{"type": "start", "game_id": "g", "game": "another", "bot_seed": uint64(1<<64 - 1), "more": 1},
		{"type": "weather", "game_id": "g"},
		{"type": "decide", "game_id": "g", "turn": 1, "events": []fields{{"event": "new"}}, "actions": []fields{{}, {}}, "more": 1},
		{"type": "fault", "game_id": "g", "turn": nil, "code": "new", "text": "", "strikes_left": nil},
		{"type": "end", "game_id": "g"},
		{"type": "bye"},
	} {
		connection.frames = append(connection.frames, pack(t, message))
	}
	answer := func(table *Table, _ *Decide) Act {
		if table.BotSeed != 1<<64-1 {
			t.Errorf("bot_seed %d", table.BotSeed)
		}
		return Act{Index: 1}
	}
	if err := Play(connection, Hello{Name: "test"}, answer); err != nil {
		t.Fatal(err)
	}
	if len(connection.heard) != 2 || connection.heard[0]["type"] != "hello" || connection.heard[1]["type"] != "act" {
		t.Errorf("the bot said %v, want hello and act", connection.heard)
	}
}
