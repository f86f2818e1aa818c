//go:build linux

package radio

import (
	"errors"
	"slices"
	"strings"
	"time"

	"dashboard/appliance/setup/flow"
)

// results() reads the networks of the last search and reports them. If the search found none, results reports the networks of an earlier
// search again.
func (r *Radio) results(c *control) error {
	answer, err := c.ask("SCAN_RESULTS")
	if err != nil {
		return err
	}
	slow := !r.fast(c)
	found := heard(answer, slow)
	found = slices.DeleteFunc(found, func(f flow.Found) bool { return f.Name == r.Name })
	r.mu.Lock()
	if len(found) > 0 {
		r.last = found
	}
	found = slices.Clone(r.last)
	r.mu.Unlock()
	r.Report(func(m *flow.Machine) {
		m.Slow = slow
		m.Heard(found)
	})
	return nil
}

// fast() reports whether the radio supports channels of 5 GHz.
func (r *Radio) fast(c *control) bool {
	answer, err := c.ask("GET_CAPABILITY freq")
	return err != nil || strings.Contains(answer, "= 5") // a line has the form " 36 = 5180 MHz"
}

// Search implements flow.Radio.
func (r *Radio) Search(country string) {
	r.queue(func(c *control) error {
		var err error
		if country != "" {
			err = c.order("SET country " + country)
		}
		// An access point may be too busy to search. The page then continues to show the list of the last search.
		return errors.Join(err, c.order("SCAN"), r.results(c))
	})
}

// busy is the answer to SCAN during a search. The result of that search arrives as an event too.
const busy = "FAIL-BUSY"

// survey searches once before the access point opens, unless an earlier search has found networks.
func (r *Radio) survey(c *control) {
	r.mu.Lock()
	known := len(r.last) > 0
	r.mu.Unlock()
	select {
	case <-r.heard: // removes the value of an earlier search
	default:
	}
	if known {
		return
	}
	if answer, err := c.ask("SCAN"); err != nil || answer != "OK" && answer != busy {
		return
	}
	select {
	case <-r.heard:
	case <-time.After(surveyTime):
	}
	_ = r.results(c) // after an error the page searches again
}
