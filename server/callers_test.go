package server

import (
	"fmt"
	"testing"
	"time"
)

var dawn = time.Date(2026, 5, 1, 6, 0, 0, 0, time.UTC)

// allowed() sends n requests at the same time and returns how many are permitted.
func allowed(c *callers, from string, n int, now time.Time) (ok int) {
	for range n {
		if c.allow(from, now) {
			ok++
		}
	}
	return ok
}

func TestCallersHaveARate(t *testing.T) {
	c := newCallers()
	check := func(name string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %d let through, want %d", name, got, want)
		}
	}
	check("without a rate", allowed(c, "10.0.0.1:1", 1000, dawn), 1000)
	c.configure(Rate{PerSecond: 10, Burst: 20})
	check("a burst", allowed(c, "10.0.0.1:1", 100, dawn), 20)
	check("the same from another port", allowed(c, "10.0.0.1:2", 100, dawn), 0)
	check("the same, written as IPv6", allowed(c, "[::ffff:10.0.0.1]:2", 100, dawn), 0)
	check("another one", allowed(c, "10.0.0.2:1", 100, dawn), 20)
	check("half a second later", allowed(c, "10.0.0.1:1", 100, dawn.Add(500*time.Millisecond)), 5)
	check("an IPv6 network", allowed(c, "[2001:db8::1]:1", 100, dawn), 20)
	check("another machine of it", allowed(c, "[2001:db8::2:3%eth0]:1", 100, dawn), 0)
	check("another network", allowed(c, "[2001:db8:0:1::1]:1", 100, dawn), 20)
	check("no address at all", allowed(c, "@", 100, dawn), 20)
	c.configure(Rate{PerSecond: 10, Burst: 20})
	check("configured as it was", allowed(c, "10.0.0.2:1", 100, dawn), 0)
	c.configure(Rate{PerSecond: 10, Burst: 30})
	check("configured anew", allowed(c, "10.0.0.2:1", 100, dawn), 30)
}

func TestCallersAreForgotten(t *testing.T) {
	c := newCallers()
	c.configure(Rate{PerSecond: 1, Burst: 1})
	from := func(i int) string { return fmt.Sprintf("10.%d.%d.1:80", i/256, i%256) }
	for i := range maxCallers {
		c.allow(from(i), dawn.Add(time.Duration(i)))
	}
	now := dawn.Add(maxCallers)
	if c.allow(from(0), now) {
		t.Error("the first one was forgotten although there was room")
	}
	c.allow("10.200.0.1:80", now) // one caller too many, so the caller that has been silent for the longest time, from(1), is forgotten
	if len(c.all) != maxCallers {
		t.Errorf("got %d callers remembered, want %d", len(c.all), maxCallers)
	}
	if c.allow(from(0), now) || !c.allow(from(1), now) {
		t.Error("not the one longest silent was forgotten")
	}
}
