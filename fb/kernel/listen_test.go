package kernel

import (
	"context"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A script is a source of messages. The messages arrive at given times after its start.
type script struct {
	began    time.Time
	at       []time.Duration
	deadline time.Time
}

func (s *script) SetReadDeadline(t time.Time) error { s.deadline = t; return nil }

func (s *script) Close() error { return nil }

func (s *script) next() (Message, bool, error) {
	if len(s.at) == 0 && s.deadline.IsZero() {
		return nil, false, os.ErrClosed
	}
	if due := s.deadline; !due.IsZero() && (len(s.at) == 0 || s.began.Add(s.at[0]).After(due)) {
		time.Sleep(time.Until(due))
		return nil, false, os.ErrDeadlineExceeded
	}
	time.Sleep(time.Until(s.began.Add(s.at[0])))
	s.at = s.at[1:]
	return Message("change@/devices/x\x00SUBSYSTEM=drm\x00"), true, nil
}

// TestListen: after a message, listen() calls `changed` at once, and again after SettleTime.
func TestListen(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct{ at, want []time.Duration }{
		{[]time.Duration{ms}, []time.Duration{ms, ms + SettleTime}},
		{[]time.Duration{ms, 20 * ms, 299 * ms}, []time.Duration{ms, ms + SettleTime}},
		{[]time.Duration{ms, 900 * ms}, []time.Duration{ms, ms + SettleTime, 900 * ms, 900*ms + SettleTime}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{began: time.Now(), at: tt.at}
			var got []time.Duration
			heard := 0
			err := listen(context.Background(), s, func(m Message) bool { heard++; return m.Of("drm") }, func() { got = append(got, time.Since(s.began)) })
			if err != os.ErrClosed || !slices.Equal(got, tt.want) || heard != len(tt.at) {
				t.Errorf("messages at %v: looks at %v of %d messages, want %v; %v", tt.at, got, heard, tt.want, err)
			}
		})
	}
}
