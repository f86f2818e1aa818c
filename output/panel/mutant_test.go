package panel

import (
	"image"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestMutantsFail: if a driver leaves out or changes a message, the simulated panel detects a broken rule or shows another picture. The
// test drops and changes each command and each setting once. If several messages send one picture, it drops and changes only the first of
// them. Without -long, it takes a third of the messages of each panel, and with -short a sixth.
func TestMutantsFail(t *testing.T) {
	for _, m := range papers() {
		t.Run(m.Name, func(t *testing.T) {
			if !*long && (m.Name == "waveshare-7in5-b-v2" || m.Name == "spectra6-7in3" || m.Name == "inky-13in3" || m.Name == "waveshare-7in3-f") {
				t.Skip("their chips have another model, or they are large: with -long")
			}
			t.Parallel()
			c := newTrial(m)
			for i, n := range c.messages(t) {
				if !*long && i%3 != len(m.Name)%3 || testing.Short() && i%6 != len(m.Name)%6 {
					continue // other panels lose and change the other messages
				}
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
					if fine := c.survives(t, mutate); fine {
						t.Errorf("message %d %s: nobody notices", n, what)
					}
				}
			}
		})
	}
}

// messages() returns the numbers of the messages that the updates send. If several messages send one picture, it returns only the first of
// them.
func (c *trial) messages(t *testing.T) (list []int) {
	many := 0
	c.survives(t, func(n int, p []byte) []byte {
		if many++; len(p) < blockSize {
			many = 0
		}
		if many <= 1 {
			list = append(list, n)
		}
		return p
	})
	if len(list) < 15*len(c.frames) {
		t.Fatalf("%d messages", len(list))
	}
	return list
}

// A trial applies one mutation to some updates, and checks the resulting picture.
type trial struct {
	m      *Model
	frames []*image.RGBA
	wants  [][]uint8
}

func newTrial(m *Model) *trial {
	c := &trial{m: m}
	updates := 1 // without partial refreshes, a second update would be like the first
	if m.Partial {
		updates = 2
	}
	for i := range updates {
		frame, _ := clock(m.Size, i+1)
		c.frames, c.wants = append(c.frames, frame), append(c.wants, pictured(m, frame, nil).Pix)
	}
	return c
}

// survives() reports whether the mutation has no effect that the test can detect. It stops after the first update with a broken rule or a
// wrong picture.
func (c *trial) survives(t *testing.T, mutate func(int, []byte) []byte) (fine bool) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		s := newSim(c.m)
		s.mutate = mutate
		r := start(t, s, c.m.Size, func(o *Options) { o.MinInterval, o.Save = time.Minute, nil })
		sound := func() bool { return len(s.broken) == 0 && r.Stats().Errors == 0 }
		fine = true
		for i := 0; fine && i < len(c.frames); i++ {
			r.show(c.frames[i], nil, 2*time.Minute)
			fine = sound() && slices.Equal(s.glass.Pix, c.wants[i])
		}
		r.stop()
		s.asleep()
		fine = fine && sound()
	})
	return fine
}
