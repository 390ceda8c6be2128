// The connection to the referee: protocol.md, version 1.0. It knows no game.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/vmihailenco/msgpack/v5"
)

// Table is one game that this bot plays.
type Table struct {
	Start
	Random *rand.Rand // the only randomness of a bot that can be replayed
}

// Decider chooses: Index counts Actions from 0.
type Decider func(table *Table, asked *Decide) Act

// Connection carries frames; tests script one.
type Connection interface {
	Send(frame []byte) error
	Receive() ([]byte, error)
}

// Read converts a part of a message to a type, such as a View to a KosmosView. Unknown fields are ignored.
func Read[T any](raw msgpack.RawMessage) (value T, err error) {
	err = msgpack.Unmarshal(raw, &value)
	return value, err
}

// Choose converts what was sent to the types of its game, and asks that game's chooser.
func Choose[E, V, A any](table *Table, asked *Decide, chooser func(*Table, E, V, []A) int) (int, error) {
	edition, err := Read[E](table.Edition)
	if err != nil {
		return 0, err
	}
	view, err := Read[V](asked.View)
	if err != nil {
		return 0, err
	}
	actions := make([]A, len(asked.Actions))
	for i, raw := range asked.Actions {
		if actions[i], err = Read[A](raw); err != nil {
			return 0, err
		}
	}
	return chooser(table, edition, view, actions), nil
}

// Best returns the index of the action with the highest worth, the first among equals.
func Best[A any](actions []A, worth func(A) float64) int {
	index := 0
	for i, action := range actions {
		if worth(action) > worth(actions[index]) {
			index = i
		}
	}
	return index
}

// Run plays until the referee sends bye or the process that started this one is gone.
func Run(hello Hello, decide Decider) error {
	endpoint, token := os.Getenv("ARENA_ENDPOINT"), os.Getenv("ARENA_TOKEN")
	if endpoint == "" || token == "" {
		return errors.New("ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena starts bots, try `arena match . .`")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go endWithParent(ctx, cancel)
	dealer := zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity(token)))
	defer dealer.Close()
	if err := dealer.Dial(endpoint); err != nil {
		return err
	}
	err := Play(socket{dealer}, hello, decide)
	if ctx.Err() != nil {
		return errors.New("whoever started this bot is gone")
	}
	return err
}

// Play is Run over any connection.
func Play(connection Connection, hello Hello, decide Decider) error {
	hello.Type, hello.Protocol = "hello", [2]int{1, 0}
	if err := send(connection, hello); err != nil {
		return err
	}
	tables := map[string]*Table{}
	for {
		frame, err := connection.Receive()
		if err != nil {
			return fmt.Errorf("nothing more comes from the referee: %w", err)
		}
		var head struct {
			Type string `msgpack:"type"`
		}
		if err := msgpack.Unmarshal(frame, &head); err != nil {
			return err
		}
		if head.Type == "bye" {
			return nil
		}
		if err := take(connection, tables, head.Type, frame, decide); err != nil {
			return fmt.Errorf("%s: %w", head.Type, err)
		}
	}
}

// take handles one message. Types that it does not know come from a later minor version and are ignored (9).
func take(connection Connection, tables map[string]*Table, kind string, frame []byte, decide Decider) error {
	switch kind {
	case "start":
		start, err := Read[Start](frame)
		if err != nil {
			return err
		}
		// A game that starts again replaces what was known of it.
		tables[start.GameID] = &Table{Start: start, Random: rand.New(rand.NewPCG(start.BotSeed, 0))}
	case "decide":
		asked, err := Read[Decide](frame)
		if err != nil {
			return err
		}
		table, ok := tables[asked.GameID]
		if !ok {
			return fmt.Errorf("game %s has not begun", asked.GameID)
		}
		act := decide(table, &asked)
		act.Type, act.GameID, act.Turn = "act", asked.GameID, asked.Turn
		return send(connection, act)
	case "fault":
		fault, err := Read[Fault](frame)
		if err != nil {
			return err
		}
		log.Printf("fault: %s: %s", fault.Code, fault.Text)
	case "end":
		end, err := Read[End](frame)
		if err != nil {
			return err
		}
		delete(tables, end.GameID)
	}
	return nil
}

func send(connection Connection, message any) error {
	var frame bytes.Buffer
	encoder := msgpack.NewEncoder(&frame)
	encoder.UseCompactInts(true)
	if err := encoder.Encode(message); err != nil {
		return err
	}
	return connection.Send(frame.Bytes())
}

// socket sends each message as one frame; the Go runtime repeats calls that a signal interrupted.
type socket struct{ zmq4.Socket }

func (s socket) Send(frame []byte) error { return s.Socket.Send(zmq4.NewMsg(frame)) }

func (s socket) Receive() ([]byte, error) {
	message, err := s.Recv()
	return message.Bytes(), err
}

// endWithParent cancels when the process that started this one is gone, as nobody else would end it.
func endWithParent(ctx context.Context, cancel context.CancelFunc) {
	for parent := os.Getppid(); os.Getppid() == parent; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
	cancel()
}
