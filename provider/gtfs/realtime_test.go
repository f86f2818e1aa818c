package gtfs

import (
	"archive/zip"
	"bytes"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// A message builds the bytes of a protocol buffer, so that the tests share no code with the reader.
type message []byte

func (m message) text(num protowire.Number, s string) message {
	return protowire.AppendString(protowire.AppendTag(m, num, protowire.BytesType), s)
}

func (m message) number(num protowire.Number, n int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, num, protowire.VarintType), uint64(n))
}

func (m message) part(num protowire.Number, p message) message {
	return protowire.AppendBytes(protowire.AppendTag(m, num, protowire.BytesType), p)
}

// tripUpdateOf returns an entity with the update of a trip.
func tripUpdateOf(trip message, more ...message) message {
	u := message{}.part(1, trip)
	for _, m := range more {
		u = append(u, m...)
	}
	return message{}.text(1, "e").part(3, u)
}

// stopUpdate returns field 2 of a trip update.
func stopUpdate(m message) message { return message{}.part(2, m) }

// feedWith returns a realtime feed with the given entities.
func feedWith(entities ...message) message {
	m := message{}.part(1, message{}.text(1, "2.0"))
	for _, e := range entities {
		m = m.part(2, e)
	}
	return m
}

func TestRealtime(t *testing.T) {
	x, err := indexOf(t, map[string]string{
		"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt2,10:05:00,10:40:00,600\n",
	}, "alex")
	if err != nil {
		t.Fatal(err)
	}
	t1 := message{}.text(1, "t1").text(3, "20261126")
	delay := func(place, seconds int64) message {
		return stopUpdate(message{}.number(1, place).part(3, message{}.number(1, seconds)))
	}
	u4 := func(first string) []string {
		return []string{first, "10:10 U4 Far end 2", "10:20 U4 Far end 2", "10:30 U4 Far end 2"}
	}
	at := time.Date(2026, 11, 26, 9, 4, 0, 0, time.UTC).Unix() // 10:04 in Berlin
	for name, tt := range map[string]struct {
		feed message
		want []string
	}{
		"no entities":                {feedWith(), u4("10:00 U4 Zoo 1")},
		"a delay":                    {feedWith(tripUpdateOf(t1, delay(1, 180))), u4("10:00 U4 Zoo 1 +3")},
		"too early":                  {feedWith(tripUpdateOf(t1, delay(1, -120))), u4("10:00 U4 Zoo 1 -2")},
		"a time":                     {feedWith(tripUpdateOf(t1, stopUpdate(message{}.number(1, 1).part(3, message{}.number(2, at))))), u4("10:00 U4 Zoo 1 +4")},
		"the departure counts":       {feedWith(tripUpdateOf(t1, stopUpdate(message{}.number(1, 1).part(3, message{}.number(1, 60)).part(2, message{}.number(1, 600))))), u4("10:00 U4 Zoo 1 +1")},
		"by the stop":                {feedWith(tripUpdateOf(t1, stopUpdate(message{}.text(4, "p1").part(3, message{}.number(1, 60))))), u4("10:00 U4 Zoo 1 +1")},
		"of another stop":            {feedWith(tripUpdateOf(t1, stopUpdate(message{}.text(4, "zoo").part(3, message{}.number(1, 60))))), u4("10:00 U4 Zoo 1")},
		"a delay goes on":            {feedWith(tripUpdateOf(t1, delay(0, 300))), u4("10:00 U4 Zoo 1 +5")},
		"a delay after the stop":     {feedWith(tripUpdateOf(t1, delay(2, 300))), u4("10:00 U4 Zoo 1")},
		"of the whole trip":          {feedWith(tripUpdateOf(t1, message{}.number(5, 240))), u4("10:00 U4 Zoo 1 +4")},
		"cancelled":                  {feedWith(tripUpdateOf(t1.number(4, 3))), u4("10:00 U4 Zoo 1 cancelled")},
		"a skipped stop":             {feedWith(tripUpdateOf(t1, stopUpdate(message{}.number(1, 1).number(5, 1)))), u4("10:00 U4 Zoo 1 cancelled")},
		"no data":                    {feedWith(tripUpdateOf(t1, stopUpdate(message{}.number(1, 1).number(5, 2)))), u4("10:00 U4 Zoo 1")},
		"another day":                {feedWith(tripUpdateOf(message{}.text(1, "t1").text(3, "20261127").number(4, 3))), u4("10:00 U4 Zoo 1")},
		"without a day":              {feedWith(tripUpdateOf(message{}.text(1, "t1").number(4, 3))), u4("10:00 U4 Zoo 1 cancelled")},
		"an unknown trip":            {feedWith(tripUpdateOf(message{}.text(1, "t99").number(4, 3))), u4("10:00 U4 Zoo 1")},
		"a delay beyond reason":      {feedWith(tripUpdateOf(t1, delay(1, 40000))), u4("10:00 U4 Zoo 1")},
		"one run of a repeated trip": {feedWith(tripUpdateOf(message{}.text(1, "t2").text(2, "10:15:00").text(3, "20261126").number(4, 3))), []string{"10:00 U4 Zoo 1", "10:10 U4 Far end 2", "10:20 U4 Far end 2 cancelled", "10:30 U4 Far end 2"}},
		"a field of a later version": {feedWith(message{}.text(99, "new")), u4("10:00 U4 Zoo 1")},
		"a fixed field and a group":  {append(feedWith(), protowire.AppendFixed64(protowire.AppendTag(nil, 50, protowire.Fixed64Type), 7)...), u4("10:00 U4 Zoo 1")},
	} {
		t.Run(name, func(t *testing.T) {
			l := &Live{trips: map[tripKey]*update{}}
			if err := l.read(tt.feed, map[string]bool{"t1": true, "t2": true}); err != nil {
				t.Fatal(err)
			}
			got := board(t, x, "2026-11-26 09:59", 35*time.Minute, l)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAlerts shows alerts about the chosen stops and lines while they are valid.
func TestAlerts(t *testing.T) {
	x, err := indexOf(t, nil, "alex")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	alert := func(title string, about message, more ...message) message {
		a := message{}.part(5, about).part(10, message{}.part(1, message{}.text(1, title).text(2, "en")))
		for _, m := range more {
			a = append(a, m...)
		}
		return message{}.text(1, title).part(5, a)
	}
	period := func(from, to int64) message {
		return message{}.part(1, message{}.number(1, now.Unix()+from).number(2, now.Unix()+to))
	}
	l := &Live{trips: map[tripKey]*update{}}
	err = l.read(feedWith(
		alert("line", message{}.text(2, "r")), alert("other line", message{}.text(2, "x")), alert("stop", message{}.text(5, "p2")),
		alert("agency", message{}.text(1, "1")), alert("other stop of the agency", message{}.text(1, "1").text(5, "far")),
		alert("now", message{}.text(2, "r"), period(-60, 60)), alert("tomorrow", message{}.text(2, "r"), period(3600, 7200)), alert("past", message{}.text(2, "r"), period(-7200, -3600)),
	), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range l.alerts(x, now) {
		got = append(got, a.(map[string]any)["title"].(string))
	}
	if want := []string{"line", "stop", "agency", "now"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRealtime: no bytes crash the reader, and the reader stores a limited amount of data.
func FuzzRealtime(f *testing.F) {
	f.Add([]byte(feedWith(tripUpdateOf(message{}.text(1, "t1").number(4, 3), stopUpdate(message{}.number(1, 1))))))
	f.Add([]byte(feedWith(message{}.part(5, message{}.part(10, message{}.part(1, message{}.text(1, "x")))))))
	f.Add([]byte("\xff\xff"))
	data := feedOf(f, nil)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	x, err := distill(f.Context(), z, []string{"alex"}, true)
	if err != nil {
		f.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, msg []byte) {
		l := &Live{trips: map[tripKey]*update{}}
		_ = l.read(msg, map[string]bool{"t1": true})
		x.departures(now, time.Hour, 10, l)
		if got := l.alerts(x, now); len(got) > maxAlerts {
			t.Errorf("%d alerts", len(got))
		}
	})
}
