// A bot to begin with: it takes the fastest way on, and chooses at random where it knows no better.
//
// decide is called whenever the bot has to choose, and answers with the index of an action.
package main

import (
	"log"
	"math"
	"slices"
	"strconv"
	"strings"
)

// worths rates preferred actions by name; the others are worth 0.
type worths map[string]float64

const (
	roll    = 3.5 // days that a die adds on average
	most    = 6   // days that a die adds at most
	inTime  = 80  // days within which one should be home
	missing = 7   // estimated days of a card that we do not have yet
)

func main() {
	log.SetFlags(0)
	if err := Run(Hello{Name: "go-bot", Language: "Go", Parallel: 8, Deterministic: true}, decide); err != nil {
		log.Fatal(err)
	}
}

// decide answers one question. Act can carry a Note and Metrics for the record as well.
func decide(table *Table, asked *Decide) Act {
	var index int
	var err error
	switch table.Game {
	case "kosmos":
		index, err = Choose(table, asked, kosmos)
	case "ravensburger":
		index, err = Choose(table, asked, ravensburger)
	default:
		index = table.Random.IntN(len(asked.Actions))
	}
	if err != nil {
		// Any answer is better than none: a bot that does not answer loses the whole game.
		log.Printf("turn %d is not understood: %v", asked.Turn, err)
	}
	return Act{Index: index}
}

// kosmos takes the card that makes the next leg cheapest, and travels as cheaply as it can, at once: it waits only where
// coming home late would lose.
func kosmos(table *Table, edition KosmosEdition, view KosmosView, actions []KosmosAction) int {
	switch view.Phase {
	case "take":
		taste := worths{"event": 0.3, "gold": 0.2, "balloon": 0.1}
		leg := edition.Board.Legs[view.City[table.Seat]]
		return Best(actions, func(action KosmosAction) float64 {
			if action.Do != "take" || action.Card == "" {
				return math.Inf(-1)
			}
			return taste[action.Place] - float64(legDays(leg, append(slices.Clone(view.Hand), action.Card)))
		})
	case "action", "chit", "escape":
		liked := worths{"event": 3, "gold": 2, "pass": 1, "accept": 1, "escape": 1}
		return Best(actions, func(action KosmosAction) float64 { return liked[action.Do] })
	case "travel":
		return Best(actions, func(action KosmosAction) float64 {
			switch {
			case action.Do != "travel", tooLate(table, edition, view, action):
				return math.Inf(-1)
			case action.Die:
				return -float64(action.Days) - roll
			}
			return -float64(action.Days)
		})
	case "reroll": // a gold for another roll only when this one was bad
		if actions[0].Roll >= 5 {
			return 1
		}
	case "limit": // the dearest travel card goes
		return Best(actions, func(action KosmosAction) float64 { return float64(daysOf(action.Card)) })
	}
	return 0 // the first action of every list changes the least
}

// tooLate tells whether a leg may lead home late, and that would lose: of two players, who is home first.
func tooLate(table *Table, edition KosmosEdition, view KosmosView, action KosmosAction) bool {
	if action.To != "London" || len(view.Days) != 2 || !edition.Parameters.LateFirstLoses {
		return false
	}
	days := view.Days[table.Seat] + action.Days
	if action.Die {
		days += most
	}
	return days > inTime
}

// legDays returns the days of a leg with these cards, missing ones included; the elephant's leg needs none.
func legDays(leg KosmosLegOptions, hand []string) int {
	least := 0
	for i, option := range leg.List {
		days := 0
		for _, kind := range []string{"train", "ship"} {
			var have []int
			for _, card := range hand {
				if daysOf(card) > 0 && card[0] == kind[0] {
					have = append(have, daysOf(card))
				}
			}
			slices.Sort(have)
			need := strings.Count(strings.Join(option, " "), kind)
			paying := min(need, len(have))
			days += cheapest(have, paying, 0) + missing*(need-paying)
		}
		if i == 0 || days < least {
			least = days
		}
	}
	return least
}

// cheapest pays with n of the cards, which are sorted: of two equal ones the second costs nothing.
func cheapest(cards []int, n, last int) int {
	if n == 0 {
		return 0
	}
	price := cards[0]
	if price == last {
		price = 0
	}
	days := price + cheapest(cards[1:], n-1, cards[0])
	if len(cards) > n {
		days = min(days, cheapest(cards[1:], n, last))
	}
	return days
}

// daysOf is 3 for "t3", a train of 3 days; the longer names of event cards are worth 0.
func daysOf(card string) int {
	if len(card) != 2 || card[1] < '0' || card[1] > '9' {
		return 0
	}
	return int(card[1] - '0')
}

// ravensburger takes the longest stride that it can, now, and draws two cards when it can take none.
func ravensburger(table *Table, _ RavensburgerEdition, view RavensburgerView, actions []RavensburgerAction) int {
	switch view.Phase {
	case "turn", "further":
		square := view.Square[table.Seat]
		special := worths{"rose": 5, "handcuffs": 3}
		return Best(actions, func(action RavensburgerAction) float64 {
			if action.Do != "play" {
				return float64(action.Count)
			}
			if action.To == nil {
				return special[action.Card]
			}
			return 10 * float64(action.To.Number-square) // backwards only if there is nothing else
		})
	case "setup", "rose": // where the longest card lies
		return Best(actions, func(action RavensburgerAction) (longest float64) {
			for _, card := range view.Hand {
				if action.To != nil && strings.HasPrefix(card, action.To.Text) {
					longest = max(longest, stride(card))
				}
			}
			return longest
		})
	case "exchange", "lay_off": // the shortest card goes
		return Best(actions, func(action RavensburgerAction) float64 { return -stride(action.Card) })
	}
	liked := worths{"leap": 1, "carry_out": 1, "purse": 1} // whatever keeps the pawn in front
	return Best(actions, func(action RavensburgerAction) float64 { return liked[action.Do] })
}

// stride is how far a card goes: "train-4" goes 4. A special card is worth as much as a long one.
func stride(card string) float64 {
	_, value, _ := strings.Cut(card, "-")
	if steps, err := strconv.Atoi(value); err == nil {
		return float64(steps)
	}
	return 4
}
