package locale

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// `oracle` is a program that formats the dates of the test with node's Intl, which uses ICU. The CLDR of ICU is older than ours, so some
// words differ.
const oracle = `
const [tags, times] = JSON.parse(require('fs').readFileSync(0));
const ask = [
  {timeStyle: 'short', hourCycle: 'h23'},
  {weekday: 'long', day: 'numeric', month: 'long'},
  {weekday: 'short', day: 'numeric', month: 'short'},
  {day: 'numeric', month: 'long'},
  {year: 'numeric', month: 'long'},
  {dateStyle: 'full'},
  {weekday: 'long'},
  {year: 'numeric', month: 'numeric', day: 'numeric'},
];
const out = {};
for (const tag of tags) {
  const formats = ask.map(o => new Intl.DateTimeFormat(tag + '-u-nu-latn-ca-gregory', {...o, timeZone: 'UTC'}));
  out[tag] = times.map(t => formats.map(f => f.format(new Date(t))));
  const n = new Intl.NumberFormat(tag + '-u-nu-latn', {maximumFractionDigits: 2});
  out[tag].push([1234567.891, -4321.5, 12345, 0.25].map(v => n.format(v)));
}
process.stdout.write(JSON.stringify(out));
`

// `asked` lists the Word of each of the oracle's formats, in the same order.
var asked = []Word{Time, DayDate, DayDateShort, Date, MonthYear, DateFull, Weekday, DateShort}

// `differ` is the maximum number of different results in a thousand. ICU has another version of CLDR, and it combines patterns for
// skeletons that a language does not have. The test's log lists each kind of difference.
const differ = 20

func TestAgainstIntl(t *testing.T) {
	thorough.Only(t)
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal(err)
		}
		t.Skip("node, whose Intl is the second opinion, is not installed")
	}
	var times []int64
	for i := range 40 {
		times = append(times, time.Date(2026, time.January, 1+i*9, (i*5)%24, (i*7)%60, 0, 0, time.UTC).UnixMilli())
	}
	tags := Tags()
	in, _ := json.Marshal([]any{tags, times})
	cmd := exec.Command(node, "-e", oracle)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][][]string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	latin := true
	all, wrong := 0, 0
	for _, tag := range tags {
		l, err := Load(tag, &Options{HourCycle: 24, Latin: &latin})
		if err != nil {
			t.Fatal(err)
		}
		said := map[Word]bool{}
		for i, ms := range times {
			for j, w := range asked {
				got := plain(string(l.Append(nil, time.UnixMilli(ms).UTC(), w)))
				all++
				if other := plain(want[tag][i][j]); got != other {
					wrong++
					if !said[w] {
						said[w] = true
						t.Logf("%s %d: %q, Intl %q", tag, w, got, other)
					}
				}
			}
		}
		for i, v := range []float64{1234567.891, -4321.5, 12345, 0.25} {
			decimals := []int{2, 1, 0, 2}[i]
			got := plain(string(l.AppendNumber(nil, v, decimals, false)))
			if i == 0 {
				got = plain(string(l.AppendNumber(nil, 1234567.89, 2, false)))
			}
			all++
			if other := plain(want[tag][len(times)][i]); got != other {
				wrong++
				t.Logf("%s number: %q, Intl %q", tag, got, other)
			}
		}
	}
	t.Logf("%d of %d differ", wrong, all)
	if wrong*1000 > all*differ {
		t.Errorf("%d of %d answers differ from Intl's, want at most %d in 1,000", wrong, all, differ)
	}
}

// plain() removes the differences between ICU's releases: kinds of spaces, minus signs and direction marks.
func plain(s string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2212", "-", "\u200e", "", "\u200f", "", "\u061c", "").Replace(s)
}
