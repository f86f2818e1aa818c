package startscreen

import "dashboard/appliance/about"

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
	for _, p := range f.Problems {
		c.Lines = append(c.Lines, Line{Icon: "alert", Role: "warn", Text: p})
	}
	return c
}
