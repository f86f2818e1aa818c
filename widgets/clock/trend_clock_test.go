package clock

import "testing"

func TestTimeInWords(t *testing.T) {
	for _, tc := range []struct {
		language     string
		hour, minute int
		want         string
	}{
		{"en", 0, 0, "midnight"}, {"en", 12, 4, "noon"}, {"en", 15, 0, "three o’clock"}, {"en", 10, 30, "half past ten"},
		{"en", 10, 35, "twenty-five to eleven"}, {"en", 11, 59, "five to twelve"}, {"en", 23, 45, "quarter to twelve"},
		{"de", 13, 0, "ein Uhr"}, {"de", 10, 30, "halb elf"}, {"de", 10, 25, "fünf vor halb elf"}, {"de", 10, 20, "zwanzig nach zehn"},
		{"de", 0, 45, "Viertel vor eins"}, {"de", 12, 5, "fünf nach zwölf"},
	} {
		if got := timeInWords(tc.language, tc.hour, tc.minute); got != tc.want {
			t.Errorf("%s, %d:%02d: got %s, want %s", tc.language, tc.hour, tc.minute, got, tc.want)
		}
	}
}
