package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
)

// wall returns a board with the text inbox "t" and an inbox over the wall, which shows three notifications at the same time.
func wall(t testing.TB) (b *Board, over, text *Inbox) {
	t.Helper()
	b = NewBoard(func() {})
	s := b.Begin()
	over, _ = s.Inbox(Wall, Card, View{Shown: 3, Usual: 10 * time.Second})
	text, _ = s.Inbox("t", Text, View{})
	b.Commit(s)
	return b, over, text
}

// overWall runs f in fake time, with a Poster for the board that the function wall returns.
func overWall(t *testing.T, f func(p *Poster, b *Board, over *Inbox)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, over, _ := wall(t)
		p := NewPoster(b, fetch.NewWith(&slowWeb{}), budget.New(), slog.New(slog.DiscardHandler))
		defer p.Close()
		f(p, b, over)
	})
}

// send posts a body and returns the error.
func send(p *Poster, body string) error {
	r, err := p.board.Parse([]byte(body), onlyRed)
	if err != nil {
		return err
	}
	return p.Post(r)
}

func mustSend(t *testing.T, p *Poster, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if err := send(p, body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
}

// titles() returns the visible titles after some time, with their counts and the number of waiting notifications.
func titles(over *Inbox, after time.Duration) string {
	time.Sleep(after)
	all, _, waiting := over.Shown(nil, time.Now(), true)
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Title)
		if s.Count > 1 {
			fmt.Fprintf(&b, "x%d", s.Count)
		}
		b.WriteByte(' ')
	}
	if waiting > 0 {
		fmt.Fprintf(&b, "+%d", waiting)
	}
	return strings.TrimSpace(b.String())
}

func TestOverTheWall(t *testing.T) {
	const s = time.Second
	for _, tc := range []struct {
		name  string
		steps []any // a body to post, a duration to wait, or "=" and the titles that must be visible
	}{
		{"the newest is first, and as many as fit", []any{`{"title":"a"}`, `{"title":"b"}`, `{"title":"c"}`, "=c b a", `{"title":"d"}`, "=d c b +1"}},
		{"who is pushed out goes on with the time that was left", []any{
			`{"title":"a","duration":20}`, "=a", 8 * s, `{"title":"b"}`, `{"title":"c"}`, `{"title":"d"}`, "=d c b +1", 10 * s, "=a", 11 * s, "=a", s, "="}},
		{"a queue waits", []any{
			`{"title":"a"}`, `{"title":"b","mode":"queue"}`, `{"title":"c","mode":"queue"}`, "=a b c", `{"title":"d","mode":"queue"}`, "=a b c +1", 10 * s, "=d"}},
		{"one replaces the first", []any{`{"title":"a"}`, `{"title":"b"}`, "=b a", `{"title":"c","mode":"replace"}`, "=c a"}},
		{"one replaces none that is more important", []any{`{"title":"a","priority":5}`, `{"title":"b","mode":"replace"}`, "=a b"}},
		{"more important ones are first", []any{`{"title":"a","priority":4}`, `{"title":"b"}`, `{"title":"c","priority":5}`, `{"title":"d","priority":1}`, "=c a b +1"}},
		{"held ones stay, and stop nobody", []any{
			`{"title":"h","hold":true,"id":"h"}`, `{"title":"i","hold":true}`, `{"title":"j","hold":true}`, "=j i h", `{"title":"a"}`, "=a j i +1", 11 * s, "=j i h", time.Hour, "=j i h"}},
		{"one of the held is deleted", []any{`{"title":"h","hold":true,"id":"h"}`, `{"title":"i","hold":true,"id":"i"}`, "=i h", "-h", "=i"}},
		{"the same id is the same place", []any{`{"title":"a","id":"x"}`, `{"title":"b"}`, "=b a", 8 * s, `{"title":"c","id":"x"}`, "=b c", 2 * s, "="}},
		{"an update can begin anew", []any{`{"title":"a","id":"x"}`, "=a", 8 * s, `{"title":"b","id":"x","restart":true}`, "=b", 9 * s, "=b", s, "="}},
		{"the same is counted", []any{`{"title":"a"}`, "=a", 2 * s, `{"title":"a"}`, 4 * s, `{"title":"a"}`, "=ax3", 5 * s, "="}},
		{"the same is not counted when it is late or says so", []any{
			`{"title":"a","dedupe":false}`, `{"title":"a","dedupe":false}`, "=a a", `{"title":"b"}`, 6 * s, `{"title":"b"}`, "=b b a +1"}},
		{"who comes too late is dropped", []any{
			`{"title":"a","priority":5,"duration":60}`, `{"title":"b","priority":5,"duration":60}`, `{"title":"c","priority":5,"duration":60}`,
			`{"title":"d","ttl":30}`, "=c b a +1", 31 * s, "=c b a", 30 * s, "="}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			overWall(t, func(p *Poster, b *Board, over *Inbox) {
				for i, step := range tc.steps {
					switch v := step.(type) {
					case time.Duration:
						time.Sleep(v)
					case string:
						switch v[0] {
						case '{':
							mustSend(t, p, v)
						case '-':
							if n, err := p.Delete(v[1:], ""); n != 1 || err != nil {
								t.Fatalf("step %d: deleted %d, %v", i, n, err)
							}
						default:
							if got := titles(over, 0); got != v[1:] {
								t.Fatalf("step %d: got %q, want %q", i, got, v[1:])
							}
						}
					}
				}
			})
		})
	}
}

// If a notification is replaced or updated, it keeps its place, so that no other notification moves.
func TestPlaces(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		mustSend(t, p, `{"title":"a","id":"x"}`)
		first, _, _ := over.Shown(nil, time.Now(), true)
		mustSend(t, p, `{"title":"b","id":"x"}`)
		second, _, _ := over.Shown(nil, time.Now(), true)
		mustSend(t, p, `{"title":"c","mode":"replace"}`)
		third, _, _ := over.Shown(nil, time.Now(), true)
		if first[0].Place != second[0].Place || second[0].Place != third[0].Place || third[0].Title != "c" || !first[0].Until.Equal(second[0].Until) {
			t.Errorf("got %+v, %+v, %+v", first[0], second[0], third[0])
		}
	})
}

func TestSupersetRefuses(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		long := strings.Repeat("x", MaxTitle+1)
		for _, tc := range []struct{ body, want string }{
			{`{}`, "the body needs a title, a message or text, an image or a progress"},
			{`{"text":" \n"}`, "the body needs a title, a message or text, an image or a progress"},
			{`{"mesage":"x"}`, "'mesage' is no key of a notification; is 'message' meant?"},
			{`{"widget":"t","txet":"x"}`, "'text' is required: this widget shows texts; 'txet' is no key of a notification; is 'text' meant?"},
			{`{"title":7}`, "'title' must be a text"},
			{`{"title":"` + long + `"}`, "'title' must have at most 200 characters"},
			{`{"title":"x","id":"` + long[:65] + `"}`, "'id' must have at most 64 characters"},
			{`{"title":"x","icon":"bell"}`, "'icon' must be mdi:NAME, such as mdi:doorbell, or an http or https URL of a picture"},
			{`{"title":"x","icon":"http:///a.png"}`, "'icon' must be an http or https URL"},
			{`{"title":"x","icon":"https://pics/` + strings.Repeat("a", MaxURL) + `"}`, "'icon' must have at most 8192 bytes"},
			{`{"title":"x","icon":"mdi:dorbell"}`, "'icon' is an unknown icon; near: doorbell"},
			{`{"title":"x","progress":101}`, "'progress' must be a number from 0 to 100"},
			{`{"title":"x","progress":"50"}`, "'progress' must be a number from 0 to 100"},
			{`{"title":"x","priority":0}`, "'priority' must be a whole number from 1 to 5"},
			{`{"title":"x","priority":2.5}`, "'priority' must be a whole number from 1 to 5"},
			{`{"title":"x","mode":"pile"}`, "'mode' must be stack, queue or replace"},
			{`{"title":"x","ttl":0}`, "'ttl' must be more than 0 and at most 86400 seconds"},
			{`{"title":"x","hold":"yes"}`, "'hold' must be true or false"},
			{`{"title":"x","target":7}`, "'target' must be the name of a widget, a list of names, or all"},
			{`{"title":"x","target":["t","who"]}`, "Widget not found"},
			{`{"title":"x","widget":"who"}`, "Widget not found"},
			{`{"title":"x","image":"file:///etc/passwd"}`, "'image' must be an http or https URL"},
		} {
			err := send(p, tc.body)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.body, err, tc.want)
			}
		}
		if got := titles(over, 0); got != "" {
			t.Errorf("got %q on the wall", got)
		}
	})
}

// With target all, every widget that can show the notification gets it. Text widgets show the title above the message, without Markdown
// marks.
func TestTargets(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		mustSend(t, p, `{"title":"a","message":"**b** [c](http://h/) _d_","target":"all"}`)
		text, _ := b.Lookup("t")
		if got := shows(text, time.Now()); got != "a\nb c d" {
			t.Errorf("got %q", got)
		}
		if got := titles(over, 0); got != "a" {
			t.Errorf("got %q over the wall", got)
		}
	})
}

func TestListAndDelete(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		mustSend(t, p, `{"title":"a","id":"a","progress":50,"wake":true}`, `{"title":"b","hold":true,"id":"b"}`, `{"widget":"t","text":"c"}`)
		titles(over, 0)
		time.Sleep(4 * time.Second)
		data, _ := json.Marshal(b.List())
		for _, want := range []string{
			`"widget":"t","state":"waiting","text":"c"`, `"id":"a","widget":"wall","state":"shown","title":"a"`, `"progress":50,"count":1,"wake":true`,
			`"seconds_left":6}`, `"id":"b","widget":"wall","state":"held"`,
		} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s has no %s", data, want)
			}
		}
		if got := b.Awake(); !got.Equal(time.Now().Add(6 * time.Second)) {
			t.Errorf("the screen is wanted until %v", got)
		}
		if _, err := p.Delete("who", ""); !errors.Is(err, ErrGone) {
			t.Errorf("got %v, want ErrGone", err)
		}
		if _, err := p.Delete("", "who"); !errors.Is(err, ErrUnknown) {
			t.Errorf("got %v, want ErrUnknown", err)
		}
		if n, err := p.Delete("", "t"); n != 1 || err != nil {
			t.Errorf("deleted %d of t, %v", n, err)
		}
		if n, err := p.Delete("", ""); n != 2 || err != nil || titles(over, 0) != "" {
			t.Errorf("deleted %d of the rest, %v", n, err)
		}
		if got := b.Awake(); !got.IsZero() {
			t.Errorf("a deleted notification keeps the screen on until %v", got)
		}
	})
}

// A card is shown without its picture until the picture is fetched. The card is also shown if the picture cannot be fetched.
func TestPicturesOfCards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBoard(func() {})
		s := b.Begin()
		over, _ := s.Inbox(Wall, Card, View{Box: image.Pt(40, 40), Shown: 1})
		b.Commit(s)
		p := NewPoster(b, fetch.NewWith(&slowWeb{}), budget.New(), slog.New(slog.DiscardHandler))
		defer p.Close()
		mustSend(t, p, `{"title":"a","image":"http://pics/2","id":"a","duration":60}`)
		look := func() *Notification {
			synctest.Wait()
			all, _, _ := over.Shown(nil, time.Now(), true)
			return all[0].Notification
		}
		if n := look(); !n.Fetching || n.Picture != nil {
			t.Errorf("at first: got %+v", n)
		}
		time.Sleep(2 * time.Second)
		if n := look(); n.Fetching || n.Picture == nil {
			t.Errorf("after the fetch: got %+v", n)
		}
		pic := look().Picture
		mustSend(t, p, `{"title":"b","image":"http://pics/2","id":"a","duration":60}`)
		if n := look(); n.Title != "b" || n.Picture != pic || n.Fetching {
			t.Error("an update with the same picture fetched it again")
		}
		mustSend(t, p, `{"title":"c","image":"http://gone/1"}`)
		look()
		time.Sleep(2 * time.Second)
		if n := look(); n.Title != "c" || n.Fetching || n.Picture != nil {
			t.Errorf("of a picture that fails: got %+v", n)
		}
		p.Delete("", "")
		for i := range 10 { // each notification is displaced by the next, so only the newest keeps its picture
			mustSend(t, p, fmt.Sprintf(`{"title":"%d","image":"http://pics/1","duration":60}`, i))
			look()
			time.Sleep(1500 * time.Millisecond)
			look()
		}
		kept := 0
		for _, it := range over.items {
			if it.n.Picture != nil {
				kept++
			}
		}
		if kept > 2 {
			t.Errorf("%d pictures are kept", kept)
		}
	})
}

// Any body is either rejected with a reason, or shown within the limits.
func FuzzSuperset(f *testing.F) {
	f.Add([]byte(`{"title":"a","message":"**b**","progress":5,"priority":5,"mode":"replace","hold":true,"ttl":1,"id":"x","icon":"mdi:bell","target":"all"}`))
	f.Add([]byte(`{"target":["wall","t"],"text":"x","dedupe":false,"restart":true,"wake":true,"image":"http://h/"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		b, over, _ := wall(t)
		p := &Poster{board: b, log: slog.New(slog.DiscardHandler), ctx: t.Context()}
		for range 3 {
			if err := send(p, string(body)); err != nil && err.Error() == "" {
				t.Fatal("an error without words")
			}
		}
		all, _, waiting := over.Shown(nil, time.Now(), true)
		if len(all)+waiting > 3 {
			t.Fatalf("%d notifications of three requests", len(all)+waiting)
		}
	})
}
