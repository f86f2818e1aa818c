package netstream

import (
	"image"
	"image/color"
	"regexp"
	"testing"
)

// Tags depend only on the pixels, and not on earlier frames, the format, the options or the source of the pixels.
func TestTagsFollowPixels(t *testing.T) {
	a := flat(64, 32, color.RGBA{1, 2, 3, 255})
	b := flat(64, 32, color.RGBA{1, 2, 4, 255})
	s := newStream(Options{})
	tags := map[string]string{}
	for _, step := range []struct {
		name  string
		frame *image.RGBA
	}{{"a", a}, {"b", b}, {"a again", a}} {
		mustDraw(t, s, step.frame)
		cur, _ := s.Current()
		tags[step.name] = cur.ETag
	}
	if tags["a"] != tags["a again"] || tags["a"] == tags["b"] {
		t.Errorf("got %v, want a and a again equal and b another", tags)
	}
	if !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(tags["a"]) {
		t.Errorf("got %q, want 16 hexadecimal digits", tags["a"])
	}
	other := newStream(Options{Format: "png"})
	mustDraw(t, other, a)
	if cur, _ := other.Current(); cur.ETag != tags["a"] {
		t.Errorf("as png: got %q, want %q", cur.ETag, tags["a"])
	}
	wide := flat(128, 16, color.RGBA{1, 2, 3, 255})
	mustDraw(t, other, wide)
	if cur, _ := other.Current(); cur.ETag == tags["a"] {
		t.Error("the same bytes in another shape have the same tag")
	}
}

func TestUnchangedIsNotPublished(t *testing.T) {
	p := newPainter(1, 100, 80)
	s := newStream(Options{})
	mustDraw(t, s, p.frame)
	before, _ := s.Current()
	mustDraw(t, s, p.frame)
	mustDraw(t, s, p.frame, p.rect(), image.Rectangle{}, image.Rect(-5, -5, 500, 500))
	if st := s.Stats(); st.Published != 1 || st.Unchanged != 2 {
		t.Errorf("got %d published, %d unchanged; want 1, 2", st.Published, st.Unchanged)
	}
	if after, _ := s.Current(); after != before {
		t.Errorf("got %v, want %v", after, before)
	}
}

func TestTagsOfSizes(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	cur, _ := s.Current()
	for _, c := range []struct {
		w, h int
		want string
	}{
		{0, 0, `"` + cur.ETag + `"`},
		{100, 80, `"` + cur.ETag + `-100x80"`}, // the tag has a size because the request had one
		{50, 60, `"` + cur.ETag + `-50x60"`},
		{7680, 1, `"` + cur.ETag + `-7680x1"`},
	} {
		if resp, _ := mustGet(t, s, Request{W: c.w, H: c.h}); resp.ETag != c.want || !resp.PublishedAt.Equal(cur.At) || resp.Render != image.Pt(100, 80) {
			t.Errorf("%dx%d: got %s at %v, want %s at %v", c.w, c.h, resp.ETag, resp.PublishedAt, c.want, cur.At)
		}
	}
}

func TestIfNoneMatch(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	cur, _ := s.Current()
	full, sized := `"`+cur.ETag+`"`, `"`+cur.ETag+`-50x60"`
	for _, c := range []struct {
		name, header string
		w, h         int
		want         int
	}{
		{"none", "", 0, 0, 200},
		{"the tag", full, 0, 0, 304},
		{"the tag of the size", sized, 50, 60, 304},
		{"tag without size", full, 50, 60, 200},
		{"tag with size", sized, 0, 0, 200},
		{"weak", "W/" + full, 0, 0, 304},
		{"small w", "w/" + full, 0, 0, 200},
		{"any", "*", 0, 0, 304},
		{"any, blanks", " *\t", 50, 60, 304},
		{"any in a list", `"a", *`, 0, 0, 200},
		{"list", `"a",W/"b" ,` + full + `, "c"`, 0, 0, 304},
		{"list, empty elements", `,, "a" ,, ` + full, 0, 0, 304},
		{"comma in a tag", `"a,b", ` + full, 0, 0, 304},
		{"other", `"0000000000000000"`, 0, 0, 200},
		{"no quotes", cur.ETag, 0, 0, 200},
		{"open quote", `"` + cur.ETag, 0, 0, 200},
		{"open quote before", `"a, ` + full, 0, 0, 200},
		{"no comma", `"a" ` + full, 0, 0, 200},
		{"quotes alone", `"`, 0, 0, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, _ := mustGet(t, s, Request{W: c.w, H: c.h, IfNoneMatch: c.header})
			if resp.Status != c.want {
				t.Errorf("%q: got %d, want %d", c.header, resp.Status, c.want)
			}
			if resp.Status == 304 && (resp.Body != nil || resp.ContentType != "" || resp.ETag == "" || resp.PublishedAt.IsZero()) {
				t.Errorf("%q: got %+v, want tag and time alone", c.header, resp)
			}
		})
	}
	if st := s.Stats(); st.NotModified == 0 || st.NotModified+st.Whole != 19 {
		t.Errorf("got %d + %d answers counted, want 19", st.NotModified, st.Whole)
	}
}

func TestNotModifiedEncodesNothing(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	mustGet(t, s, Request{W: 40, H: 30, IfNoneMatch: "*"})
	if st := s.Stats(); st.Encodes != 0 || len(st.Sizes) != 0 {
		t.Errorf("got %d encodes and %d sizes, want none", st.Encodes, len(st.Sizes))
	}
}

func FuzzIfNoneMatch(f *testing.F) {
	const tag = `"0123456789abcdef-40x30"`
	for _, seed := range []string{"", "*", tag, `W/` + tag + `,"x"`, `"a" , , "b`, "\x00", `W/W/"a"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		found := matches(header, tag)
		for rest := header; rest != ""; {
			var got string
			before := len(rest)
			if got, _, rest = cutTag(rest); len(rest) >= before {
				t.Fatalf("%q: no progress at %q", header, rest)
			}
			if got == tag && !found {
				t.Fatalf("%q holds the tag, which was not found", header)
			}
			if base, ok := baseOf(got, 40, 30); ok && tagOf(base, 40, 30) != got {
				t.Fatalf("%q read as %x", got, base)
			}
		}
	})
}
