package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// vector is a frame, or a part of one, and what it means.
type vector struct {
	Name string `json:"name"`
	From string `json:"from"`
	Hex  string `json:"hex"`
	JSON any    `json:"json"`
}

// types says into what a vector is read, by file and the first word of its name.
var types = map[string]func([]byte) (any, error){
	"messages/hello":       into[Hello],
	"messages/act":         into[Act],
	"messages/welcome":     into[Welcome],
	"messages/start":       into[Start],
	"messages/decide":      into[Decide],
	"messages/fault":       into[Fault],
	"messages/end":         into[End],
	"kosmos/edition":       into[KosmosEdition],
	"kosmos/view":          into[KosmosView],
	"kosmos/action":        into[KosmosAction],
	"kosmos/event":         into[KosmosEvent],
	"ravensburger/edition": into[RavensburgerEdition],
	"ravensburger/view":    into[RavensburgerView],
	"ravensburger/action":  into[RavensburgerAction],
	"ravensburger/event":   into[RavensburgerEvent],
}

// into reads as Read does, but a field that the type lacks is an error.
func into[T any](frame []byte) (any, error) {
	var value T
	decoder := msgpack.NewDecoder(bytes.NewReader(frame))
	decoder.DisallowUnknownFields(true)
	err := decoder.Decode(&value)
	return value, err
}

func TestGoldenVectors(t *testing.T) {
	for _, file := range []string{"messages", "kosmos", "ravensburger"} {
		for _, each := range load(t, file) {
			t.Run(file+"/"+each.Name, func(t *testing.T) { check(t, file, each) })
		}
	}
}

// What is malformed may end the bot, but not by a panic, and it is never answered.
func TestMalformedVectors(t *testing.T) {
	for _, each := range load(t, "malformed") {
		t.Run(each.Name, func(t *testing.T) {
			connection := &script{frames: [][]byte{unhex(t, each.Hex), pack(t, fields{"type": "bye"})}}
			answer := func(*Table, *Decide) Act {
				t.Error("the bot was asked")
				return Act{}
			}
			if err := Play(connection, Hello{Name: "test"}, answer); err != nil {
				t.Logf("ended: %v", err)
			}
			if len(connection.heard) != 1 {
				t.Errorf("the bot said %v, want hello alone", connection.heard)
			}
		})
	}
}

func check(t *testing.T, game string, each vector) {
	frame := unhex(t, each.Hex)
	plain := decode(t, frame)
	if where := differs(each.JSON, plain, false); where != "" {
		t.Errorf("decoded: %s", where)
	}
	kind := strings.Split(each.Name, "-")[0]
	if message, ok := plain.(fields); ok && game == "messages" {
		kind, _ = message["type"].(string)
	}
	read, ok := types[game+"/"+kind]
	if !ok || strings.HasSuffix(each.Name, "later-minor") { // what a later version adds is not kept
		return
	}
	typed, err := read(frame)
	if err != nil {
		t.Fatal(err)
	}
	again, err := msgpack.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	if where := differs(each.JSON, decode(t, again), true); where != "" {
		t.Errorf("as %T: %s", typed, where)
	}
}

// load reads one file: the vectors lie beside a bot made by `arena new`, and in the arena's own tests.
func load(t *testing.T, file string) []vector {
	t.Helper()
	for _, folder := range []string{"vectors", "../../docs/vectors"} {
		data, err := os.ReadFile(filepath.Join(folder, file+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber() // a float64 cannot hold every bot_seed
		if err := decoder.Decode(&vectors); err != nil {
			t.Fatal(err)
		}
		return vectors
	}
	t.Skipf("no golden vectors: neither vectors/%s.json nor ../../docs/vectors/%s.json is there", file, file)
	return nil
}

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	frame, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

func decode(t *testing.T, frame []byte) any {
	t.Helper()
	value, err := msgpack.NewDecoder(bytes.NewReader(frame)).DecodeInterfaceLoose()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// differs says where got is not what is wanted, "" if nowhere. What went through a type has the fields of that type
// in any case, and lacks those that say nothing.
func differs(want, got any, typed bool) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || !typed && len(got) != len(want) {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
		for key, value := range want {
			if where := differs(value, got[key], typed); where != "" {
				return key + ": " + where
			}
		}
		return ""
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) || !typed && list == nil {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
		for i, value := range want {
			if where := differs(value, list[i], typed); where != "" {
				return fmt.Sprintf("%d: %s", i, where)
			}
		}
		return ""
	case json.Number:
		if number, ok := got.(float64); ok {
			if value, err := want.Float64(); err == nil && value == number {
				return ""
			}
		}
	}
	silent := want == nil || want == false || want == "" || fmt.Sprint(want) == "0"
	if fmt.Sprint(want) == fmt.Sprint(got) || typed && silent && (got == nil || got == "") {
		return ""
	}
	return fmt.Sprintf("want %v, got %v", want, got)
}
