package wall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/server"
	"dashboard/wall/view"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/screen"
)

// spokenFor is the time for which the text of a view is reused. Repeated requests must not slow down the painting.
const spokenFor = 250 * time.Millisecond

// errGone means that a view was removed a moment ago.
var errGone = errors.New("the view has ended")

// A speaker describes views as text. It reuses its buffers and its last results.
type speaker struct {
	mu     sync.Mutex // guards the fields below
	speech speech.Speech
	plain  []byte
	last   map[spokenKey]spokenAt
}

type spokenKey struct {
	view *view.View
	all  bool
}

type spokenAt struct {
	at     time.Time
	spoken *server.Spoken
}

// tones maps each tone of speech.Speech to its name in the server's answer.
var tones = [...]string{
	speech.Heading: "heading", speech.Sentence: "sentence", speech.Item: "item",
	speech.Aside: "aside", speech.Alert: "alert", speech.Choice: "choice",
}

// Spoken implements server.Speaker. The view's render loop only fills a buffer. All other work is
// done outside the loop, so it does not delay the painting.
func (s *Service) Spoken(ctx context.Context, name string, all bool) (*server.Spoken, error) {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil, errGone
	}
	w := &s.speaker
	w.mu.Lock()
	defer w.mu.Unlock()
	key, now := spokenKey{v, all}, time.Now()
	if old := w.last[key]; old.spoken != nil && now.Sub(old.at).Abs() < spokenFor {
		return old.spoken, nil
	}
	var shown *view.Shown
	err := v.Loop.Do(ctx, func(*render.Renderer) {
		shown = v.Shown.Load()
		w.speech.Begin(shown.Scene.Region.Locale, shown.Scene.Region.Zone, now, all)
		if root, ok := shown.Tree().Root.(*screen.Screen); ok {
			root.Speak(&w.speech)
		}
	})
	if err != nil {
		return nil, err
	}
	spoken := w.of(shown, s.verbs, name, now)
	if w.last == nil || len(w.last) > 2*len(s.all()) {
		w.last = map[spokenKey]spokenAt{}
	}
	w.last[key] = spokenAt{now, spoken}
	return spoken, nil
}

// of() converts the collected speech of a view to the server's answer.
func (w *speaker) of(shown *view.Shown, verbs *control.Walls, name string, now time.Time) *server.Spoken {
	l, at := shown.Scene.Region.Locale, now.In(shown.Scene.Region.Zone)
	clock := string(l.Append(nil, at, locale.Time))
	out := &server.Spoken{
		Language: l.Tag, RightToLeft: l.RightToLeft, At: at, When: string(l.Append(nil, at, locale.DayDate)) + ", " + clock,
		AsOf: l.Capital(string(l.AppendPhrase(nil, locale.AsOf, clock))), Picture: l.Say(locale.PictureOfTheWall), Dismiss: l.Say(locale.Dismiss),
	}
	if wall := verbs.Wall(name); wall != nil && wall.Pages != nil {
		if list := wall.Pages.List(now); len(list) > 0 {
			n := slices.Index(list[0].Names, list[0].Page) + 1
			out.Pages = string(l.AppendCounted(nil, locale.PageOf, n, len(list[0].Names)))
		}
	}
	for _, p := range w.speech.Parts() {
		one := server.SpokenPart{Tone: tones[p.Tone], Text: string(w.speech.Text(p)), Notice: p.Notice, Widget: p.Widget}
		if p.Tone == speech.Heading {
			one.Level = p.Level
		}
		out.Parts = append(out.Parts, one)
	}
	w.plain = w.speech.AppendText(w.plain[:0])
	out.Plain = append([]byte(nil), w.plain...)
	return out
}
