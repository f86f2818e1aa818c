package panel

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestMutantsFail: a driver that leaves something out or sends something else breaks a rule or shows another picture. Every command
// and setting is dropped once and changed once; of pictures a byte.
func TestMutantsFail(t *testing.T) {
	for _, m := range papers() {
		t.Run(m.Name, func(t *testing.T) {
			if (testing.Short() || raceEnabled) && (m.Name == "waveshare-7in5-b-v2" || m.Name == "spectra6-7in3" || m.Name == "inky-13in3" || m.Name == "waveshare-7in3-f") {
				t.Skip("their chips have another model, or they are large")
			}
			for _, n := range messages(t, m) {
				drop := func(i int, p []byte) []byte {
					if i == n {
						return nil
					}
					return p
				}
				change := func(i int, p []byte) []byte {
					if i == n {
						p[len(p)-1] ^= 0x41
					}
					return p
				}
				for what, mutate := range map[string]func(int, []byte) []byte{"dropped": drop, "changed": change} {
					if fine := survives(t, m, mutate); fine {
						t.Errorf("message %d %s: nobody notices", n, what)
					}
				}
			}
		})
	}
}

// messages are those of two updates by their number; of a picture's only the first.
func messages(t *testing.T, m *Model) (list []int) {
	many := 0
	survives(t, m, func(n int, p []byte) []byte {
		if many++; len(p) < blockSize {
			many = 0
		}
		if many <= 1 {
			list = append(list, n)
		}
		return p
	})
	if len(list) < 30 {
		t.Fatalf("%d messages", len(list))
	}
	return list
}

// survives reports whether two updates with a mutation leave nothing to complain about.
func survives(t *testing.T, m *Model, mutate func(int, []byte) []byte) (fine bool) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		s := newSim(m)
		s.mutate = mutate
		r := start(t, s, m.Size, func(o *Options) { o.MinInterval = time.Minute })
		fine = true
		updates := 2
		if m.Name == "inky-13in3" {
			updates = 1 // the second is as the first
		}
		for i := range updates {
			frame, _ := clock(m.Size, i+1)
			r.show(frame, nil, 2*time.Minute)
			fine = fine && slices.Equal(s.glass.Pix, pictured(m, frame, nil).Pix)
		}
		r.stop()
		s.asleep()
		fine = fine && len(s.broken) == 0 && r.Stats().Errors == 0
	})
	return fine
}
