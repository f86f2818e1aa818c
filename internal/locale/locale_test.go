package locale

import (
	"strings"
	"testing"
	"time"
)

func load(t *testing.T, tag string, o *Options) *Locale {
	t.Helper()
	l, err := Load(tag, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var monday = time.Date(2026, time.November, 2, 14, 5, 9, 0, time.UTC)

func TestDates(t *testing.T) {
	tests := []struct {
		tag  string
		word Word
		want string
	}{
		{"de", DateFull, "Montag, 2. November 2026"},
		{"de", DayDateShort, "Mo., 2. Nov."},
		{"de", DayDate, "Montag, 2. November"},
		{"fi", Time, "14.05"},
		{"fi", DateFull, "maanantai 2. marraskuuta 2026"},
		{"ru", MonthYear, "ноябрь 2026\u202fг."},
		{"he", DayDate, "יום שני, 2 בנובמבר"},
		{"ja", DateFull, "2026年11月2日月曜日"},
		{"en-GB", DayDate, "Monday 2 November"},
		{"en-US", Time, "2:05\u202fPM"},
		{"en-GB", TimeSeconds, "14:05:09"},
		{"cs", Date, "2. listopadu"},
		{"de-AT", DateShort, "2.11.2026"},
		{"fa", Date, "۲ نوامبر"},
	}
	for _, test := range tests {
		if got := string(load(t, test.tag, nil).Append(nil, monday, test.word)); got != test.want {
			t.Errorf("%s %d: got %q, want %q", test.tag, test.word, got, test.want)
		}
	}
	l := load(t, "de-AT", nil)
	if got := string(l.AppendPattern(nil, time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), "EEEE, d. MMMM 'um' h 'o''clock' {w}")); got != "Samstag, 3. Jänner um 12 o'clock {1}" {
		t.Errorf("got %q", got)
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		tag      string
		v        float64
		decimals int
		want     string
	}{
		{"en", 21.43, Auto, "21.4"},
		{"en", 1240.4, Auto, "1,240"},
		{"en", 3, Auto, "3"},
		{"en", 0.126, Auto, "0.13"},
		{"en", 9.996, Auto, "10.0"},
		{"en", -0.04, 1, "0.0"},
		{"de", -1234.5, 1, "−1.234,5"},
		{"fr", 12345, 0, "12\u202f345"},
		{"es", 1234, 0, "1234"},
		{"es", 12345, 0, "12.345"},
		{"hi", 1234567, 0, "12,34,567"},
		{"fa", 1234.5, 1, "۱٬۲۳۴٫۵"},
	}
	for _, test := range tests {
		if got := string(load(t, test.tag, nil).AppendNumber(nil, test.v, test.decimals, false)); got != test.want {
			t.Errorf("%s %v: got %q, want %q", test.tag, test.v, got, test.want)
		}
	}
	en := load(t, "en", nil)
	for _, test := range []struct{ got, want string }{
		{string(en.AppendNumber(nil, 4.5, Auto, true)), "+4.5"},
		{string(en.AppendPercent(nil, 0.123, Auto)), "12.3%"},
		{string(en.AppendCompact(nil, 1234)), "1.2K"},
		{string(en.AppendCompact(nil, 12340000)), "12.3M"},
		{string(en.AppendCompact(nil, 999)), "999"},
		{string(load(t, "de", nil).AppendCompact(nil, 1234567)), "1,2\u00a0Mio."},
		{string(load(t, "ja", nil).AppendCompact(nil, 123456)), "12.3万"},
		{string(en.AppendBytes(nil, 1234567890)), "1.23\u00a0GB"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// TestDigits checks the usual digits of a language, its own digits and the digits 0 to 9. Hindi, for example, has its own digits but
// usually uses 0 to 9.
func TestDigits(t *testing.T) {
	latin, native := true, false
	for _, test := range []struct {
		tag   string
		latin *bool
		want  string
	}{
		{"fa", nil, "۱٬۲۳۴٫۵"}, {"fa", &latin, "1,234.5"}, {"fa", &native, "۱٬۲۳۴٫۵"},
		{"hi", nil, "1,234.5"}, {"hi", &native, "१,२३४.५"}, {"ar-EG", &native, "١٬٢٣٤٫٥"}, {"th", &native, "๑,๒๓๔.๕"}, {"de", &native, "1.234,5"},
	} {
		l := load(t, test.tag, &Options{Latin: test.latin})
		if got := string(l.AppendNumber(nil, 1234.5, 1, false)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.tag, got, test.want)
		}
	}
	if got := string(load(t, "hi", &Options{Latin: &native}).Append(nil, monday, Time)); got != "१४:०५" && !strings.HasPrefix(got, "२:०५") {
		t.Errorf("the time: got %q", got)
	}
}

func TestRelative(t *testing.T) {
	tests := []struct {
		tag  string
		away time.Duration
		want string
	}{
		{"en-GB", 5 * time.Minute, "in 5 min"},
		{"en-GB", 20 * time.Second, "now"},
		{"de", -20 * time.Second, "jetzt"},
		{"en-GB", -90 * time.Minute, "1 hr ago"},
		{"de", 5 * time.Minute, "in 5 Min."},
		{"ru", 3 * aDay, "через 3 дн."},
		{"en", 20 * aDay, "in 2 wk."},
	}
	for _, test := range tests {
		if got := string(load(t, test.tag, nil).AppendRelative(nil, monday.Add(test.away), monday)); got != test.want {
			t.Errorf("%s %v: got %q, want %q", test.tag, test.away, got, test.want)
		}
	}
	for year, want := range map[int]string{1: "2,0", 9999: "in 7,9"} { // the difference is longer than a time.Duration can be
		far := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if got := string(load(t, "en-GB", nil).AppendRelative(nil, far, monday)); !strings.HasPrefix(got, want) {
			t.Errorf("the year %d: got %q, want %s…", year, got, want)
		}
	}
	if got := string(load(t, "en-GB", nil).AppendDuration(nil, 3*aDay+4*time.Hour+9*time.Minute)); got != "3 days 4 h" {
		t.Errorf("duration: got %q", got)
	}
	if got := string(load(t, "en-GB", nil).AppendRoughDuration(nil, 3*aDay+23*time.Hour)); got != "3 days" {
		t.Errorf("rough duration: got %q", got)
	}
	if got := load(t, "de", nil).NearDay(1); got != "morgen" {
		t.Errorf("tomorrow: got %q", got)
	}
}

// TestUnitOfTime checks the words after a number of hours or minutes. The number is in digits, even in languages with a word for one or
// two. Every language has such words, and no language has words before the number.
func TestUnitOfTime(t *testing.T) {
	for _, tc := range []struct {
		tag  string
		unit time.Duration
		n    int
		want string
	}{
		{"en-US", time.Hour, 8, "h"}, {"en-US", time.Minute, 35, "min"}, {"de", time.Hour, 8, "Std."}, {"fr", time.Hour, 1, "h"}, {"ru", time.Minute, 3, "мин"},
		{"ja", time.Hour, 8, "時間"}, {"he", time.Hour, 2, "שע׳"}, {"ar", time.Minute, 2, "د"}, {"sr", time.Hour, 3, "сата"}, {"sr", time.Hour, 8, "сати"},
	} {
		if got := load(t, tc.tag, nil).UnitOfTime(tc.unit, tc.n); got != tc.want {
			t.Errorf("%s, %d: got %q, want %q", tc.tag, tc.n, got, tc.want)
		}
	}
	for _, tag := range Tags() {
		for _, unit := range []string{"hour", "minute"} {
			l := load(t, tag, nil)
			if form := l.data.Durations[unit]["other"]; !strings.HasPrefix(strings.TrimLeft(form, "\u200e\u200f"), "{0}") || l.UnitOfTime(time.Hour, 8) == "" {
				t.Errorf("%s: %s: %q", tag, unit, form)
			}
		}
	}
}

func TestRegions(t *testing.T) {
	tests := []struct {
		tag      string
		hours    int
		first    time.Weekday
		minDays  int
		units    Units
		language string
	}{
		{"en-US", 12, time.Sunday, 1, US, "en"},
		{"en_GB.UTF-8", 24, time.Monday, 4, UK, "en"},
		{"de-AT", 24, time.Monday, 4, Metric, "de"},
		{"en", 12, time.Sunday, 1, US, "en"},
		{"pt-BR", 24, time.Sunday, 1, Metric, "pt"},
		{"no", 24, time.Monday, 4, Metric, "nb"},
		{"ar-EG", 12, time.Saturday, 1, Metric, "ar"},
	}
	for _, test := range tests {
		l := load(t, test.tag, nil)
		if l.Hours != test.hours || l.FirstDay != test.first || l.MinDays != test.minDays || l.Units != test.units || l.Language != test.language {
			t.Errorf("%s: got %d hours, %v, %d days, units %d, %s", test.tag, l.Hours, l.FirstDay, l.MinDays, l.Units, l.Language)
		}
	}
	sunday, us := time.Sunday, US
	l := load(t, "de", &Options{HourCycle: 12, WeekStart: &sunday, Units: &us})
	if l.Hours != 12 || l.FirstDay != time.Sunday || l.Units != US {
		t.Errorf("overridden: got %+v", l)
	}
	for tag, want := range map[string]string{"zh-TW": "2月", "es-AR": "febrero", "sr-Latn-RS": "februar"} {
		if got := load(t, tag, nil).Month(time.February, false); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// TestWeeks compares week numbers with ISO 8601 and with the rule of the United States.
func TestWeeks(t *testing.T) {
	de, us := load(t, "de", nil), load(t, "en-US", nil)
	for day := time.Date(2024, 12, 20, 12, 0, 0, 0, time.UTC); day.Year() < 2031; day = day.AddDate(0, 0, 1) {
		wantYear, want := day.ISOWeek()
		if year, week := de.Week(day); year != wantYear || week != want {
			t.Fatalf("%v: got %d week %d, want %d week %d", day, year, week, wantYear, want)
		}
		first := time.Date(day.Year(), 1, 1, 12, 0, 0, 0, time.UTC)
		if _, week := us.Week(day); day.Month() < 12 && week != (day.YearDay()-1+int(first.Weekday()))/7+1 {
			t.Fatalf("%v: got week %d of the United States", day, week)
		}
	}
}

func TestWrongTags(t *testing.T) {
	for _, tag := range []string{"", "tlh", "de/AT", "a very long tag that goes on and on and on"} {
		if l, err := Load(tag, nil); err == nil {
			t.Errorf("%q: got %s, want an error", tag, l.Tag)
		}
	}
	env := map[string]string{"LANG": "de_AT.UTF-8", "LC_ALL": "C.UTF-8"}
	if got := Machine(func(k string) string { return env[k] }); got != "de-AT" {
		t.Errorf("machine: got %s", got)
	}
	if got := Machine(func(string) string { return "" }); got != "en" {
		t.Errorf("machine without: got %s", got)
	}
}

func TestPackedIsSmall(t *testing.T) {
	if n := len(Tags()); n < 70 {
		t.Errorf("%d languages, want at least 70", n)
	}
	if most := 32 << 10; len(packed) > most {
		t.Errorf("%d bytes, want at most %d", len(packed), most)
	}
	for _, tag := range Tags() {
		l := load(t, tag, nil)
		for w := Time; w <= Hour; w++ {
			if len(l.Append(nil, monday, w)) == 0 {
				t.Errorf("%s: word %d is empty", tag, w)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	l := load(t, "de", nil)
	buf := make([]byte, 0, 128)
	if n := testing.AllocsPerRun(100, func() {
		buf = l.Append(buf[:0], monday, DayDate)
		buf = l.AppendNumber(buf[:0], 1234.5, Auto, false)
	}); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"EEEE, d. MMMM", "'", "''", "h:mm a 'x", "yyyyyyyyyy", "QQQ", "ü"} {
		f.Add(s)
	}
	l, err := Load("fa", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if got := l.AppendPattern(nil, monday, pattern[:min(len(pattern), 256)]); len(got) > 64*256 {
			t.Errorf("%d bytes of %q", len(got), pattern)
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"de-AT", "zh-Hant-TW", "x", "en_US.UTF-8@euro"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) { _, _ = Load(tag, nil) })
}

// TestWords checks that every language has every phrase, with the same placeholders as in English.
func TestWords(t *testing.T) {
	english, _ := spoken("en")
	languages := 0
	for line := range strings.Lines(ownWords()) {
		tag, _, _ := strings.Cut(line, "|")
		if strings.HasPrefix(tag, "#") {
			continue
		}
		languages++
		words, _ := spoken(tag)
		if len(words) != int(phrases) {
			t.Errorf("%s: %d phrases, want %d", tag, len(words), phrases)
			continue
		}
		for i, w := range words {
			if strings.TrimSpace(w) != w || w == "" || strings.Count(w, "{}") != strings.Count(english[i], "{}") {
				t.Errorf("%s: %q for %q", tag, w, english[i])
			}
		}
		if _, err := Load(tag, nil); err != nil {
			t.Errorf("%s has words and no dates: %v", tag, err)
		}
	}
	if languages < 25 {
		t.Errorf("%d languages, want at least 25", languages)
	}
	for tag, want := range map[string]string{"de-AT": "bis 9 Uhr", "eu": "until 9 Uhr", "nn": "til 9 Uhr", "zh-TW": "至 9 Uhr"} {
		if got := string(load(t, tag, nil).AppendPhrase(nil, Until, "9 Uhr")); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// The hours on an axis are short, because many are side by side. They have no word such as "Uhr". In the 12-hour clock they have AM or
// PM.
func TestHoursHaveNoWord(t *testing.T) {
	for tag, want := range map[string]string{"de": "07", "de-AT": "07", "fr": "07", "en-GB": "07", "en-US": "7\u202fAM", "ja": "7時"} {
		l := load(t, tag, nil)
		if got := string(l.Append(nil, time.Date(2026, 1, 1, 7, 0, 0, 0, time.UTC), Hour)); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// TestWeekdayAndDay checks that the weekday comes first in American English. In other languages, CLDR determines the position of the
// weekday.
func TestWeekdayAndDay(t *testing.T) {
	day := time.Date(2026, 10, 17, 12, 0, 0, 0, time.UTC)
	for tag, want := range map[string][2]string{
		"en-US": {"Saturday 17", "Sat 17"}, "en": {"Saturday 17", "Sat 17"}, "en-GB": {"Saturday 17", "Sat 17"},
		"de": {"Samstag, 17.", "Sa., 17."}, "fr": {"samedi 17", "sam. 17"}, "hi": {"शनिवार 17", "शनि 17"}, "th": {"วันเสาร์ 17", "เสาร์ 17"},
	} {
		l := load(t, tag, nil)
		if got := [2]string{string(l.Append(nil, day, WeekdayDay)), string(l.Append(nil, day, DayShort))}; got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// TestSmallNumbers checks that numbers below 0.1 have up to three significant digits. A sum that differs from 0 only by a rounding error
// is 0.
func TestSmallNumbers(t *testing.T) {
	l := load(t, "en", nil)
	for v, want := range map[float64]string{
		0.000123: "0.000123", 0.0000012: "0.0000012", 0.0312: "0.0312", 0.0999: "0.0999", 0.09996: "0.1", 0.1234: "0.12", 0.05: "0.05", 0.5: "0.5",
		0: "0", 5.6e-17: "0", -0.000123: "\u22120.000123", 0.00999999: "0.01", 0.000999999: "0.001",
	} {
		if got := string(l.AppendNumber(nil, v, Auto, false)); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}
