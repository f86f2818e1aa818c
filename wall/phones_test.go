package wall

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/verb"
)

// `foldable` is a wall with a separate plan for portrait. In this plan the door comes first.
const foldable = `theme: calm
widgets:
  - widget: layout
    areas: [wide door]
    portrait: {areas: [door, wide]}
    children:
      - {widget: empty, area: wide, name: wide}
      - {widget: empty, area: door, name: door}
`

// TestPhones checks the views for phones. A phone gets a separate view in its size with the portrait plan. Other viewers do not see this
// view. At most two phones have a view at the same time. A view ends ten minutes after the last request.
func TestPhones(t *testing.T) {
	conf := "graphics: {resolution: [640, 360], motion: reduced}\noutputs: [{type: window, driver: virtual, device: screen.raw, vsync: false, touch: glass}, {type: stream}]\n"
	touchable(t, conf, foldable, func(s *Service, _ *glass) {
		ctx, cancel := context.WithCancel(context.Background())
		s.life = ctx
		done := make(chan struct{})
		go func() { s.runPhones(ctx); close(done) }()
		reloads := make(chan struct{})
		go func() { s.runReloads(ctx); close(reloads) }()
		defer func() { cancel(); <-done; <-reloads }()
		ask := func(width, height int, scale float64) (string, error) {
			t.Helper()
			r, err := s.verbs.Do(ctx, control.Action{Verb: "phone", Args: verb.Args{"width": width, "height": height, "scale": scale}})
			name, _ := r["view"].(string)
			return name, err
		}
		first, err := ask(390, 844, 2)
		if err != nil || first != "~main-780x1688" {
			t.Fatalf("got %q, %v", first, err)
		}
		if got := s.view(first).Size(); got != image.Pt(780, 1688) {
			t.Errorf("got the size %v", got)
		}
		if got := s.streams(first).Bounds().Size(); got != image.Pt(780, 1688) {
			t.Errorf("got a frame of %v", got)
		}
		list, _, err := s.Survey(ctx, first)
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]image.Rectangle{}
		for _, w := range list {
			at[w.Name] = w.Bounds
		}
		if at["door"].Max.Y > at["wide"].Min.Y || at["door"].Dx() < 700 {
			t.Errorf("this is not the plan for portrait: %v", at)
		}
		if got := fmt.Sprint(s.listed()); got != "[main]" || len(s.names()) != 2 {
			t.Errorf("listed: %s of %v", got, s.names())
		}
		if again, err := ask(390, 844, 2); err != nil || again != first {
			t.Errorf("the same phone again: got %q, %v", again, err)
		}
		if phone, main := s.wall(first), s.wall(""); phone.Power != main.Power || phone.Themes != main.Themes || phone.Pages == main.Pages {
			t.Error("the phone controls something else than the wall, or turns its pages")
		}
		second, err := ask(300, 500, 99)
		if err == nil {
			t.Errorf("a scale above the limit: got %q", second)
		}
		time.Sleep(time.Second) // makes the first view older than the second
		if second, err = ask(412, 915, 4); err != nil || second != "~main-1080x2398" {
			t.Errorf("a large phone: got %q, %v", second, err)
		}
		if _, err := ask(360, 640, 1); !errors.Is(err, control.ErrPhones) {
			t.Errorf("a third phone: got %v", err)
		}
		time.Sleep(2 * phoneGrace)
		third, err := ask(360, 640, 1)
		if err != nil || slices.Contains(s.names(), first) {
			t.Errorf("in the place of one that is gone: got %q, %v, %v", third, err, s.names())
		}
		time.Sleep(phoneIdle + 2*phoneLook)
		if got := len(s.names()); got != 1 || len(s.phones.views()) != 0 {
			t.Errorf("after ten minutes: %v", s.names())
		}
	})
}
