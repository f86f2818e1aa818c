package trmnl

import (
	"context"
	"fmt"
	"image"
	"runtime"
	"sync"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// aDay sends many requests, while each reload changes the list of devices. The requests have right and wrong tokens, and the frames have
// several sizes. Guests are allowed and removed, unknown devices ask, and devices send logs. Some callers disconnect early.
func aDay(t *testing.T, r *Readers, shot *Shot, from, to int) {
	t.Helper()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for n := from; n < to; n++ {
		*shot = noise(image.Pt(160+n%3*40, 96), uint64(n))
		set := Settings{On: true, Guest: &Device{View: fmt.Sprint("v", n%5), Refresh: time.Minute}}
		for i := range MaxDevices / 2 {
			set.Devices = append(set.Devices, Device{Name: fmt.Sprint("d", n*7+i), View: fmt.Sprint("v", n%5), Token: fmt.Sprint("t", n, " ", i), Refresh: time.Minute})
		}
		r.Configure(set)
		now := noon.Add(time.Duration(n) * time.Minute)
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() { _, _ = r.Show(t.Context(), Said{Token: fmt.Sprint("t", n, " ", i)}, now) })
			wg.Go(func() { _, _ = r.Show(gone, Said{Token: fmt.Sprint("t", n, " ", i)}, now) })
			wg.Go(func() { _, _ = r.Show(t.Context(), Said{Token: fmt.Sprint("wrong", n), ID: "AA:BB:CC:DD:EE:FF"}, now) })
		}
		wg.Wait()
		id := fmt.Sprintf("AA:BB:CC:%02X:%02X:%02X", n>>8&255, n&255, n%7)
		token, _, err := r.Setup(Said{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Allow(id); err != nil {
			t.Fatal(err)
		}
		turn := ask(t, r, Said{ID: id, Token: token}, now)
		if _, ok := r.Fetch(turn.Picture.Secret, turn.Picture.Name); !ok {
			t.Fatal("a guest's picture is not there")
		}
		r.Hear(Device{Name: id}, []string{"one", "two"})
		if err := r.Remove(id); err != nil {
			t.Fatal(err)
		}
		if _, ok := r.Fetch(turn.Picture.Secret, turn.Picture.Name); ok {
			t.Fatal("the picture of a guest that was removed is there still")
		}
	}
}

// TestNothingStays: hundreds of devices, tokens and guests come and go. After that, only the state of the current devices remains, and
// memory does not grow.
func TestNothingStays(t *testing.T) {
	thorough.Only(t)
	var shot Shot
	r := shows(&shot)
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	aDay(t, r, &shot, 0, 30)
	before := live()
	aDay(t, r, &shot, 30, 70)
	r.mu.Lock()
	names, status, pictures, strangers, allowed := len(r.kept.Shown), len(r.status), len(r.pictures), len(r.strangers), len(r.kept.Allowed)
	r.mu.Unlock()
	if names > MaxDevices || status > MaxDevices || pictures > keptEach*MaxDevices || strangers > maxStrangers || allowed != 0 {
		t.Errorf("kept are %d names, %d states, %d pictures, %d strangers, %d guests", names, status, pictures, strangers, allowed)
	}
	r.Configure(Settings{On: true})
	r.mu.Lock()
	if len(r.status)+len(r.pictures)+len(r.guests) != 0 {
		t.Errorf("without devices: %d states, %d pictures, %d guests are kept", len(r.status), len(r.pictures), len(r.guests))
	}
	r.mu.Unlock()
	const most = 1 << 20 // if each of the 40 rounds kept a frame, this would be 3 MB
	programtest.Eventually(t, "no more memory than after the first rounds", func() bool { return live()-before <= most })
}
