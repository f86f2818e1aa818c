package ical

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var corpus = flag.String("calendars", "", "`folder` of calendars whose events are compared with recurring-ical-events")

// corpusOracle is a program that computes the events of files in time ranges. It reports an error if a file takes longer than ten
// seconds.
const corpusOracle = `
import sys, json, datetime, signal, icalendar, recurring_ical_events
utc = datetime.timezone.utc
def shown(t):
    if not isinstance(t, datetime.datetime):
        return t.strftime("%Y%m%d")
    return (t.replace(tzinfo=utc) if t.tzinfo is None else t.astimezone(utc)).strftime("%Y%m%dT%H%MZ")
def stop(*_):
    raise TimeoutError()
signal.signal(signal.SIGALRM, stop)
out = []
for file in json.load(sys.stdin):
    signal.alarm(10)
    try:
        calendars = icalendar.Calendar.from_ical(open(file["Path"], "rb").read(), multiple=True)
        answer = []
        for year in file["Years"]:
            for c in calendars:
                first, last = (datetime.datetime(y, 1, 1, tzinfo=utc) for y in (year, year + 1))
                for e in recurring_ical_events.of(c).between(first, last):
                    if str(e.get("STATUS", "")).upper() == "CANCELLED":
                        continue
                    start, end = e["DTSTART"].dt, e["DTEND"].dt
                    if start == end and not isinstance(start, datetime.datetime):
                        end += datetime.timedelta(days=1)
                    answer.append(shown(start) + "/" + shown(end))
        out.append({"Events": sorted(set(answer))})
    except BaseException as x:
        out.append({"Error": type(x).__name__ + ": " + str(x)[:100]})
    signal.alarm(0)
json.dump(out, sys.stdout)
`

// corpusFile is a calendar with the years of its events.
type corpusFile struct {
	Path  string
	Years []int
	data  []byte
}

// yearsOf returns the first, the middle and the last year of the events of a calendar, and the year after the last year.
func yearsOf(data []byte) (years []int) {
	root, _ := read(data)
	root.walk(func(c *component) {
		if c.name != "VEVENT" {
			return
		}
		if p := c.get("DTSTART"); p != nil {
			if m, err := parseMoment(p.value, nil, time.UTC); err == nil && m.fields.Year() > 1900 {
				years = append(years, m.fields.Year())
			}
		}
	})
	if len(years) == 0 {
		return nil
	}
	slices.Sort(years)
	years = []int{years[0], years[len(years)/2], years[len(years)-1], years[len(years)-1] + 1}
	return slices.Compact(years)
}

// corpusFiles reads the files in the folder `corpus`. If several files have equal content, it reads only one of them.
func corpusFiles(t *testing.T) (all []corpusFile) {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(*corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if years := yearsOf(data); err == nil && len(years) > 0 && !seen[string(data)] {
			seen[string(data)] = true
			all = append(all, corpusFile{path, years, data})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// events() returns the events that Parse finds in the file's years, in the form in which the oracle prints events.
func (f *corpusFile) events() (all []string, problems []string) {
	for _, year := range f.Years {
		from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		c, err := Parse(f.data, Options{Zone: time.UTC, From: from, To: from.AddDate(1, 0, 0)})
		if err != nil {
			return nil, []string{err.Error()}
		}
		problems = append(problems, c.Problems...)
		for _, e := range c.Events {
			layout := "20060102T1504Z"
			if e.AllDay {
				layout = "20060102"
			}
			if !e.AllDay || e.Start.Before(from.AddDate(1, 0, 0)) && e.End.After(from) {
				all = append(all, e.Start.UTC().Format(layout)+"/"+e.End.UTC().Format(layout))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), slices.Compact(problems)
}

// TestCorpus lists the events that differ between Parse and corpusOracle. Some files have no right answer, so a difference does not fail
// the test. The test fails only if the comparison cannot be made.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("needs -calendars FOLDER")
	}
	files := corpusFiles(t)
	in, _ := json.Marshal(files)
	cmd := exec.Command(python, "-W", "ignore", "-c", corpusOracle)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []struct {
		Events []string
		Error  string
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	same, failed, events := 0, 0, 0
	for i, f := range files {
		got, problems := f.events()
		switch {
		case want[i].Error != "":
			failed++
			t.Logf("ERROR %s: %s; we have %d events, %q", f.Path, want[i].Error, len(got), problems)
		case slices.Equal(got, want[i].Events):
			same, events = same+1, events+len(got)
		default:
			t.Logf("DIFFERS %s: only we %s; only they %s; %q", f.Path, without(got, want[i].Events), without(want[i].Events, got), problems)
		}
	}
	t.Logf("%d files: %d equal with %d events, %d which the other cannot read, %d differ", len(files), same, events, failed, len(files)-same-failed)
}

// without() returns the first few entries of `a` that `b` does not have, and the number of all such entries.
func without(a, b []string) string {
	const most = 4
	rest := slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	return fmt.Sprint(len(rest), " ", strings.Join(rest[:min(len(rest), most)], " "))
}
