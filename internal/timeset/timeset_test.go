package timeset

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"
)

func TestKnown(t *testing.T) {
	now := time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	india := now.In(time.FixedZone("", 5*3600+1800))
	rtc := func(at time.Time) *fstest.MapFile { return &fstest.MapFile{Data: fmt.Appendln(nil, at.Unix())} }
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		now   time.Time
		want  bool
	}{
		{"nobody sets it here", fstest.MapFS{}, now, true},
		{"no answer yet", fstest.MapFS{timesyncd: {Mode: 0o755 | 1<<31}}, now, false},
		{"a card that has just started", fstest.MapFS{appliance: {}}, now, false},
		{"a card that was told", fstest.MapFS{appliance: {}, synchronized: {}}, now, true},
		{"set", fstest.MapFS{synchronized: {}}, now, true},
		{"a battery", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(now.Add(time.Minute))}, now, true},
		{"a battery with local time", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(now.Add(5*time.Hour + 31*time.Minute))}, india, true},
		{"a battery with UTC", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(now)}, india, true},
		{"a battery with another time", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(now.Add(3 * time.Hour))}, india, false},
		{"an empty battery", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(time.Unix(12, 0))}, now, false},
		{"no number", fstest.MapFS{timesyncd + "/x": {}, hardware: {Data: []byte("?")}}, now, false},
		{"a battery that was taken out", fstest.MapFS{timesyncd + "/x": {}, hardware: rtc(time.Unix(12, 0))}, time.Unix(20, 0), false},
	} {
		if got := Known(test.files, test.now); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
