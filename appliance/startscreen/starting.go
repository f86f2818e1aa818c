package startscreen

import (
	"fmt"
	"slices"

	"dashboard/appliance/about"
)

// Starting returns the contents of the start screen of an appliance. `address` is the address that the wall's page will have, or "" if
// this machine has no such page. `notes` are facts that are not problems, for example which firmware comes from the card.
func Starting(f about.Facts, address string, timeSet bool, notes []string) Content {
	c := Content{Name: f.Name, Version: "Dashboard " + f.Version, Doing: "Starting", Address: address}
	if timeSet {
		c.Lines = append(c.Lines, Line{Icon: "clock-check-outline", Role: "good", Text: "The time is set"})
	} else {
		c.Lines = append(c.Lines, Line{Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet"})
	}
	for _, n := range notes {
		c.Lines = append(c.Lines, Line{Icon: "information-outline", Text: n})
	}
	c.Lines = append(c.Lines, problemLines(f)...)
	return c
}

// problemLines returns the lines for the problems with the settings. Lines of a file that are refused are details of one fact.
func problemLines(f about.Facts) (all []Line) {
	var refused []Line
	for _, p := range f.Problems {
		if place, _ := placeOf(p); place == "" || slices.Contains(f.Used, p) {
			all = append(all, Line{Icon: "alert", Role: "warn", Text: p})
			continue
		}
		refused = append(refused, Line{Text: detailMark + p})
	}
	switch n := len(refused); n {
	case 0:
		return all
	case 1:
		refused[0].Text = "1 setting refused" + refused[0].Text
	default:
		refused[0].Text = fmt.Sprint(n, " settings refused", refused[0].Text)
	}
	refused[0].Icon, refused[0].Role = "file-alert-outline", "bad"
	return append(refused, all...)
}
