package locale

import "testing"

// TestCapitals checks the conversion to capital letters by the rules of several languages.
func TestCapitals(t *testing.T) {
	for _, tt := range []struct{ tag, in, upper, capital string }{
		{"tr", "iyi ışık", "İYİ IŞIK", "İyi ışık"}, {"az", "indi", "İNDİ", "İndi"}, {"en", "it is", "IT IS", "It is"},
		{"el", "αύριο, ώρα ΐ", "ΑΥΡΙΟ, ΩΡΑ Ϊ", "Αύριο, ώρα ΐ"}, {"de", "straße", "STRASSE", "Straße"}, {"ja", "今日", "今日", "今日"}, {"en", "", "", ""}, {"fr", "été", "ÉTÉ", "Été"},
	} {
		l := load(t, tt.tag, nil)
		if got := l.Upper(tt.in); got != tt.upper {
			t.Errorf("%s %q: got %q in capitals, want %q", tt.tag, tt.in, got, tt.upper)
		}
		if got := l.Capital(tt.in); got != tt.capital {
			t.Errorf("%s %q: got %q with a capital, want %q", tt.tag, tt.in, got, tt.capital)
		}
	}
}

// TestCompactRoundsUp checks numbers that are rounded up to a larger unit. For example, 999,999 becomes 1M and not 1000K.
func TestCompactRoundsUp(t *testing.T) {
	for _, tt := range []struct {
		tag  string
		v    float64
		want string
	}{
		{"en", 999_999, "1M"}, {"en", -999_999, "\u22121M"}, {"en", 999_499, "999K"}, {"en", 999_999_999, "1B"}, {"en", 99_999, "100K"}, {"en", 9_960, "10K"}, {"en", 9_940, "9.9K"},
		{"ja", 9_999, "9,999"}, {"ja", 99_999, "10万"}, {"ja", 99_999_999, "1億"},
	} {
		if got := string(load(t, tt.tag, nil).AppendCompact(nil, tt.v)); got != tt.want {
			t.Errorf("%s, %v: got %s, want %s", tt.tag, tt.v, got, tt.want)
		}
	}
}

// TestWordsOfChinese checks that regions that use traditional characters have phrases in these characters, and that French in Canada has
// the 24-hour clock.
func TestWordsOfChinese(t *testing.T) {
	for tag, want := range map[string]string{"zh-TW": "無資料", "zh-HK": "無資料", "zh-Hant": "無資料", "zh-Hant-MO": "無資料", "zh": "无数据", "zh-CN": "无数据", "zh-Hans-HK": "无数据", "hi": "कोई डेटा नहीं"} {
		if got := load(t, tag, nil).Say(NoData); got != want {
			t.Errorf("%s: got %s, want %s", tag, got, want)
		}
	}
	for tag, want := range map[string]int{"fr-CA": 24, "en-CA": 12, "fr": 24} {
		if got := load(t, tag, nil).Hours; got != want {
			t.Errorf("%s: got %d hours, want %d", tag, got, want)
		}
	}
}
