package client

import (
	"bytes"
	"image"
	"testing"
	"testing/synctest"
	"time"
)

// TestContinue: a client takes over from another client, which was connected or had lost the connection.
func TestContinue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			size      image.Point
			connected bool
			rejected  bool
			want      State // expected state of the second client at the time when the first client would become stale
		}{
			"down, the same size":   {smallScreen, false, false, Stale},
			"down, another size":    {image.Pt(90, 200), false, false, Stale},
			"connected until now":   {smallScreen, true, false, Down},
			"rejected, a new token": {smallScreen, false, true, Stale},
		} {
			before, err := New(testOptions(smallScreen))
			if err != nil {
				t.Fatal(err)
			}
			before.frame.setWhole(flat(smallScreen, red))
			before.link.connected, before.link.rejected = c.connected, c.rejected
			time.Sleep(before.opts.StaleAfter - time.Second)
			next, err := New(testOptions(c.size))
			if err != nil {
				t.Fatal(err)
			}
			next.Continue(before)
			if want := flat(c.size, red); !bytes.Equal(next.frame.pix.Pix, want.Pix) {
				t.Errorf("%s: the frame is another one", name)
			}
			if got := next.Stats().State; got != Down {
				t.Errorf("%s: got %v at first, want down", name, got)
			}
			time.Sleep(time.Second)
			if got := next.Stats().State; got != c.want {
				t.Errorf("%s: got %v after a second, want %v", name, got, c.want)
			}
		}
	})
}

// TestValidate: Validate does not require a display.
func TestValidate(t *testing.T) {
	o := testOptions(smallScreen)
	o.Display = nil
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	o.URL = "wall"
	if err := o.Validate(); err == nil {
		t.Error("got no error")
	}
}
