//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/image/draw"

	"dashboard/internal/testing/testpic"
	"dashboard/provider/ical"
	"dashboard/render/picture"
	"dashboard/tools/command"
)

// The photo of row 22 of docs/benchmarks.md. It has the size of a telephone's photos, and is shown on a screen of 1080p.
const (
	photoWide, photoHigh = 4000, 3000
	photoQuality         = 92
)

// photoTargets are the targets for each kind of JPEG. `whole` is the time relative to image/jpeg with a scaler, `turbo` is the time
// relative to djpeg, and `memory` is in MB.
var photoTargets = map[string]struct{ whole, turbo, memory float64 }{"baseline": {0.2, 1.3, 12}, "progressive": {0.5, 1.5, 20}}

// photos() measures row 22: decoding a photo and scaling it to a screen of 1080p.
func photos(l *lab) error {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, testpic.Photo(photoWide, photoHigh), &jpeg.Options{Quality: photoQuality}); err != nil {
		return err
	}
	if err := os.WriteFile(l.path("baseline.jpg"), b.Bytes(), 0o644); err != nil {
		return err
	}
	kinds := []string{"baseline", "progressive"}
	_, err := command.Run(l.ctx, nil, "jpegtran", "-progressive", "-outfile", l.path("progressive.jpg"), l.path("baseline.jpg"))
	if err != nil {
		l.table.remark(22, "progressive: missing (Debian: libjpeg-turbo-progs)")
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		what, target := "12 megapixels to 1080p, "+kind, photoTargets[kind]
		ours, whole, turbo := entry("scaled", kernels, "photo "+kind), entry("image/jpeg, ApproxBiLinear", kernels, "photo-whole "+kind), entry("libjpeg-turbo 1/2", turbojpeg, "scaled "+kind)
		l.contest(ours, whole, turbo)
		l.against(22, what, ours, whole, atMost(target.whole))
		l.against(22, what, ours, turbo, atMost(target.turbo))
		taken, err := l.figure(kernels, "photo-memory "+kind)
		if err != nil {
			return err
		}
		l.table.limit(22, what+", all memory asked for", "%.1f MB", taken/1e6, target.memory)
	}
	return nil
}

// file returns a file that the measurement of row 22 or 23 has written, or nil if the file is missing.
func (p pictures) file(name string) []byte {
	data, err := os.ReadFile(filepath.Join(string(p), name))
	if err != nil {
		return nil
	}
	return data
}

// shown is the size at which the photo is shown, in px.
var shown = image.Pt(width, height)

func photoCase(p pictures, kind string) operation {
	data := p.file(kind + ".jpg")
	return func() int {
		if _, err := picture.Decode(context.Background(), data, shown, picture.Contain, true); err != nil {
			panic(err)
		}
		return 0
	}
}

// photoMemoryCase counts the bytes that one decoding allocates. This is an upper bound of the memory in use.
func photoMemoryCase(p pictures, kind string) operation {
	decode := photoCase(p, kind)
	return func() int { return allocated(decode, 1) }
}

func photoWholeCase(p pictures, kind string) operation {
	data := p.file(kind + ".jpg")
	to := image.NewRGBA(image.Rect(0, 0, height*photoWide/photoHigh, height))
	return func() int {
		m, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			panic(err)
		}
		draw.ApproxBiLinear.Scale(to, to.Rect, m, m.Bounds(), draw.Src, nil)
		return 0
	}
}

// calendarFactor is the target of row 23 of docs/benchmarks.md: our maximum time relative to the time of the Python program.
const calendarFactor = 0.1

// calendars() measures row 23: reading 14 months of a calendar of 5 MB. Python runs only once, because one run takes very long.
func calendars(l *lab) error {
	if err := os.WriteFile(l.path("calendar.ics"), feed(), 0o644); err != nil {
		return err
	}
	ours, python := entry("provider/ical", kernels, "calendar"), entry("recurring-ical-events", recurring, "calendar")
	l.contest(ours)
	python.ns = math.Inf(1)
	l.turn(python)
	l.against(23, "a calendar of 5 MB", ours, python, atMost(calendarFactor))
	return nil
}

// feed returns a calendar of 5 MB. A busy person's calendar has this size after ten years.
func feed() []byte {
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:bench\r\n")
	rules := map[int]string{0: "RRULE:FREQ=WEEKLY\r\n", 1: "RRULE:FREQ=DAILY;INTERVAL=3\r\n", 2: "RRULE:FREQ=YEARLY\r\n"}
	for i := 0; b.Len() < 5<<20; i++ {
		day := time.Date(2016, 1, 1, 8+i%10, 0, 0, 0, time.UTC).AddDate(0, 0, i%3900)
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:%s\r\nDURATION:PT1H\r\nSUMMARY:Appointment %[1]d\r\n%[3]s", i, day.Format("20060102T150405"), rules[i%200])
		for text := strings.Repeat("words ", 30); text != ""; {
			line := text[:min(len(text), 60)]
			text = text[len(line):]
			fmt.Fprintf(&b, "COMMENT:%s\r\n", line)
		}
		b.WriteString("END:VEVENT\r\n")
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.Bytes()
}

func calendarCase(p pictures, _ string) operation {
	data := p.file("calendar.ics")
	o := ical.Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)}
	return func() int {
		c, err := ical.Parse(data, o)
		if err != nil {
			panic(err)
		}
		return len(c.Events)
	}
}
