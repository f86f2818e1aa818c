package trmnl

import (
	"fmt"
	"image"
	"testing"
)

// TestGuests: a new device waits for permission. The permission is kept after a restart. The number of permitted devices is limited. If
// the settings allow no guests, a new device is refused.
func TestGuests(t *testing.T) {
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot)
	id := func(n int) string { return fmt.Sprintf("AA:BB:CC:00:00:%02X", n) }
	if _, _, err := r.Setup(Said{ID: id(0)}); err != ErrUnknown {
		t.Errorf("an unknown device: got %v", err)
	}
	if err := r.Allow(id(0)); err != ErrAsks || len(r.Asking()) != 0 {
		t.Errorf("allowed where none may be: got %v", err)
	}
	var kept Kept
	if err := r.Keep(Kept{}, func(k Kept) error { kept = k; return nil }); err != nil {
		t.Fatal(err)
	}
	on := Settings{On: true, Guest: &Device{View: "main"}}
	r.Configure(on)
	for n := range MaxDevices {
		token, _, err := r.Setup(Said{ID: id(n)})
		if err != nil {
			t.Fatal(err)
		}
		said := Said{ID: id(n), Token: token}
		if _, err := r.Show(t.Context(), said, noon); err != ErrWaits {
			t.Fatalf("before it is allowed: got %v", err)
		}
		if err := r.Allow(id(n)); err != nil {
			t.Fatal(err)
		}
		if again, _, _ := r.Setup(Said{ID: id(n)}); again != token {
			t.Error("who sets a device up anew locks it out")
		}
		ask(t, r, said, noon)
	}
	if _, _, err := r.Setup(Said{ID: id(200)}); err != nil || r.Allow(id(200)) != ErrFull {
		t.Errorf("one more: got %v", err)
	}
	all, _ := r.Status()
	next := shows(&shot)
	next.Configure(on)
	if err := next.Keep(kept, func(Kept) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if after, _ := next.Status(); len(after) != MaxDevices || !after[0].Guest || next.Remove(id(0)) != nil || next.Remove(id(0)) != ErrAsks {
		t.Errorf("after a restart: %d guests", len(after))
	}
	if after, _ := next.Status(); len(after) != MaxDevices-1 {
		t.Errorf("one removed: %d guests", len(after))
	}
	if err := r.Remove(id(200)); err != nil || len(r.Asking()) != 0 {
		t.Errorf("refused: got %v, %v ask", err, r.Asking())
	}
	r.Configure(Settings{On: true})
	if left, _ := r.Status(); len(all) != MaxDevices || len(left) != 0 || len(r.pictures) != 0 {
		t.Errorf("%d guests, then %d, with %d pictures", len(all), len(left), len(r.pictures))
	}
	r.Configure(Settings{On: true, Devices: []Device{{Name: id(1)}}})
	if err := r.Remove(id(1)); err != ErrListed {
		t.Errorf("one that is listed: got %v", err)
	}
}

// TestStrangers: the number of remembered unknown devices is bounded.
func TestStrangers(t *testing.T) {
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot)
	for n := range 3 * maxStrangers {
		_, _, _ = r.Setup(Said{ID: fmt.Sprintf("AA:BB:CC:00:00:%02X", n)})
	}
	if _, strangers := r.Status(); len(strangers) != maxStrangers || strangers[maxStrangers-1] != "AA:BB:CC:00:00:17" {
		t.Errorf("%d are told of, the newest %s", len(strangers), strangers[len(strangers)-1])
	}
}
