package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
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

// types says into what a vector is read, by file and the first word of its name. Events stay maps.
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
	"ravensburger/edition": into[RavensburgerEdition],
	"ravensburger/view":    into[RavensburgerView],
	"ravensburger/action":  into[RavensburgerAction],
}

func into[T any](frame []byte) (any, error) { return Read[T](frame) }

func TestGoldenVectors(t *testing.T) {
	files := load(t)
	if len(files) == 0 {
		t.Skip("no golden vectors: neither vectors/ nor ../../tests/vectors is there")
	}
	for game, vectors := range files {
		for _, each := range vectors {
			t.Run(game+"/"+each.Name, func(t *testing.T) { check(t, game, each) })
		}
	}
}

func check(t *testing.T, game string, each vector) {
	frame, err := hex.DecodeString(each.Hex)
	if err != nil {
		t.Fatal(err)
	}
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

func load(t *testing.T) map[string][]vector {
	files := map[string][]vector{}
	for _, folder := range []string{"vectors", "../../tests/vectors"} {
		for _, game := range []string{"messages", "kosmos", "ravensburger"} {
			data, err := os.ReadFile(filepath.Join(folder, game+".json"))
			if err != nil || files[game] != nil {
				continue
			}
			var vectors []vector
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber() // a float64 cannot hold every bot_seed
			if err := decoder.Decode(&vectors); err != nil {
				t.Fatal(err)
			}
			files[game] = vectors
		}
	}
	return files
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
