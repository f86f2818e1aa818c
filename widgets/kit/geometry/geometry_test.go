package geometry

import (
	"image"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDivide(t *testing.T) {
	content := func(i int) int { return 40 }
	tests := []struct {
		name        string
		length, gap int
		tracks      []Track
		want        []Span
	}{
		{"nothing", 100, 5, nil, []Span{}},
		{"thirds", 100, 0, []Track{{Share: 1}, {Share: 1}, {Share: 1}}, []Span{{0, 33}, {33, 34}, {67, 33}}},
		{"gap", 100, 10, []Track{{Share: 1}, {Share: 2}}, []Span{{0, 30}, {40, 60}}},
		{"fixed", 100, 0, []Track{{Length: 20}, {Share: 1}}, []Span{{0, 20}, {20, 80}}},
		{"percent", 200, 0, []Track{{Percent: 25}, {Share: 1}}, []Span{{0, 50}, {50, 150}}},
		{"content", 100, 0, []Track{{Fit: true}, {Share: 1}}, []Span{{0, 40}, {40, 60}}},
		{"too much", 100, 10, []Track{{Length: 100}, {Length: 80}, {Share: 1}}, []Span{{0, 44}, {54, 36}, {100, 0}}},
		{"no room for gaps", 5, 10, []Track{{Share: 1}, {Share: 1}}, []Span{{0, 0}, {10, 0}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Divide(test.length, test.gap, test.tracks, content); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestDivideFills checks that the tracks and the gaps fill the length exactly if at least one track
// has a share. Equal shares differ by at most one pixel, and no length is negative.
func TestDivideFills(t *testing.T) {
	track := rapid.Custom(func(t *rapid.T) Track {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return Track{Length: rapid.IntRange(0, 300).Draw(t, "length")}
		case 1:
			return Track{Percent: float64(rapid.IntRange(1, 60).Draw(t, "percent"))}
		case 2:
			return Track{Fit: true}
		}
		return Track{Share: 1}
	})
	rapid.Check(t, func(t *rapid.T) {
		tracks := append(rapid.SliceOfN(track, 0, 8).Draw(t, "tracks"), Track{Share: 1})
		gap := rapid.IntRange(0, 20).Draw(t, "gap")
		length := gap*(len(tracks)-1) + rapid.IntRange(0, 2000).Draw(t, "room")
		spans := Divide(length, gap, tracks, func(int) int { return 77 })
		if end := spans[len(spans)-1].End(); end != length {
			t.Fatalf("ends at %d, want %d", end, length)
		}
		least, most := length, 0
		for i, s := range spans {
			if s.Size < 0 {
				t.Fatalf("span %d: negative size %d", i, s.Size)
			}
			if tracks[i].Share > 0 {
				least, most = min(least, s.Size), max(most, s.Size)
			}
		}
		if most-least > 1 {
			t.Fatalf("equal shares of %d and %d px", least, most)
		}
	})
}

func TestMove(t *testing.T) {
	for j, want := range map[Justify][]Span{
		Start: {{0, 10}, {10, 20}}, Center: {{35, 10}, {45, 20}}, End: {{70, 10}, {80, 20}}, Between: {{0, 10}, {80, 20}},
	} {
		spans := []Span{{0, 10}, {10, 20}}
		if Move(spans, 100, j); !slices.Equal(spans, want) {
			t.Errorf("%d: got %v, want %v", j, spans, want)
		}
	}
}

func TestAreas(t *testing.T) {
	a, err := ParseAreas([]string{"clock clock month", "sun  .  month"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(a.Words(), " "); got != "clock month sun" {
		t.Errorf("words: got %q", got)
	}
	columns := Divide(100, 10, []Track{{Share: 1}, {Share: 1}, {Length: 20}}, nil)
	rows := Divide(50, 10, []Track{{Share: 1}, {Share: 1}}, nil)
	for word, want := range map[string]image.Rectangle{
		"clock": image.Rect(0, 0, 70, 20), "month": image.Rect(80, 0, 100, 50), "sun": image.Rect(0, 30, 30, 50),
	} {
		cells, ok := a.Cells(word)
		if got := Rect(cells, columns, rows); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", word, got, ok, want)
		}
	}
	if _, ok := a.Cells("."); ok {
		t.Error("the empty word has an area")
	}
}

func TestWrongAreas(t *testing.T) {
	tests := map[string]struct {
		rows []string
		want string
	}{
		"none":         {nil, "takes 1 to 64 rows of words, not 0"},
		"uneven":       {[]string{"a b", "a"}, "row 2 has 1 words and row 1 has 2"},
		"no rectangle": {[]string{"a b", "b b"}, "'b' is no rectangle:\n  | a | b |\n  | b | b |"},
		"apart":        {[]string{"a b a"}, "'a' is no rectangle"},
		"empty row":    {[]string{"a", " "}, "row 2 takes 1 to 64 words, not 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseAreas(test.rows); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
