package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/internal/budget"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/calendar"
	"dashboard/provider/rest"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
)

// answerTime bounds the wait for the values of the providers. All values come from this program itself.
const answerTime = 20 * time.Second

// A tree consists of the widgets of a wall, and of the providers and other parts that give them values.
type tree struct {
	root      render.Widget
	wake      chan struct{} // capacity 1
	providers *provider.Manager
	sources   *provider.Set
	board     *notify.Board
	inboxes   *notify.Set
	poster    *notify.Poster
}

// wallFiles are the files and the sizes of a wall.
type wallFiles struct {
	yaml  string       // text of the widgets file
	theme *config.Node // theme file, or nil
	size  image.Point  // in px
	scale float64      // scale of texts
	whole image.Point  // size of the picture if the wall is only a part of the picture. Zero means the field `size`
}

// build builds the tree of a wall. Errors go to the report.
func (h *home) build(w wallFiles, r *config.Report) *tree {
	t := &tree{wake: make(chan struct{}, 1)}
	wake := func() {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
	silent := slog.New(slog.DiscardHandler)
	t.providers, t.board = provider.NewManager(budget.New(), wake, silent), notify.NewBoard(wake)
	t.sources, t.inboxes, t.poster = t.providers.Begin(), t.board.Begin(), notify.NewPoster(t.board, h.client, budget.New(), silent)
	h.connect(t.sources, r)
	root := config.Parse("widgets.yaml", []byte(w.yaml), r, secrets)
	if root == nil {
		return t
	}
	dressed := theme.Dress(root, w.theme, true, r)
	if spec := config.Tree(dressed.Root, r, nil); spec != nil {
		b := widgets.NewBuilder(kit.Env{
			Drawing: kit.Drawing{Text: h.text, TextScale: w.scale, Picture: w.whole, Look: dressed.Look, SmoothScaling: true, Location: time.UTC},
			Data:    kit.Data{Sources: sources.New(household{t.sources}, h.client)},
			Wall:    kit.Wall{Inboxes: t.inboxes, Crashed: func(kind, pos string, v any) { r.Add(config.Diagnostic{File: pos, Message: fmt.Sprint(kind, ": ", v)}) }},
		})
		t.root = screen.Build(b, kit.SpecOf(spec), w.size)
	}
	return t
}

// household is a set of providers. It replaces each provider of a Home Assistant template by a provider of a recorded answer.
type household struct{ *provider.Set }

// Add implements sources.Set.
func (s household) Add(key string, p provider.Provider) *provider.Cell {
	if k, ok := p.(provider.Kinder); ok && k.Kind() == "template" {
		p = still{"template", func() (any, error) {
			text, err := homeFiles.ReadFile("home/answers/hass.lan")
			return strings.TrimSpace(string(text)), err
		}}
	}
	return s.Set.Add(key, p)
}

// connect adds the providers of the home to `set`.
func (h *home) connect(set *provider.Set, r *config.Report) {
	list, _ := config.LoadProvidersIfPresent(folder.Dir(""), config.ProvidersName, r, secrets, sources.TypeNames())
	for _, def := range list {
		if def.Type != config.DefaultProviderType {
			value := func() (any, error) { return recordedValue(def.Type) }
			if p := (calendar.Params{}); def.Type == "calendar" && def.Decode(&p) {
				value = func() (any, error) { return agenda(p.Calendars) }
			}
			set.Add(def.Type, still{def.Type, value})
			set.Name(def.Name, def.Type)
			continue
		}
		var p rest.Params
		if !def.Decode(&p) {
			continue
		}
		c, err := p.Config(ask.Deps{})
		if err != nil {
			def.Errorf("", "%v", err)
			continue
		}
		set.Add(c.Key(), rest.New(c, h.client))
		set.Name(def.Name, c.Key())
	}
}

// live() starts the providers of the tree, and waits until all values have arrived. If `notice` is not empty, it also waits for this
// notification.
func (t *tree) live(notice string) error {
	t.providers.Commit(t.sources)
	t.board.Commit(t.inboxes)
	if notice != "" {
		req, err := notify.Parse([]byte(notice), func(v any) (color.NRGBA, error) {
			c, err := theme.ColorOfJSON(v)
			return c.NRGBA, err
		})
		if err == nil {
			err = t.poster.Post(req)
		}
		if err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	for {
		missing := t.missing()
		if missing == nil {
			return nil
		}
		select {
		case <-t.wake:
		case <-ctx.Done():
			return missing
		}
	}
}

// missing() returns an error about the first value or picture that has failed or has not arrived, or nil if there is none.
func (t *tree) missing() error {
	for _, s := range t.providers.Status(time.Now()) {
		if s.Err != nil || s.At.IsZero() {
			return fmt.Errorf("provider %q of type %s gave nothing: %v", s.Name, s.Kind, s.Err)
		}
	}
	if st := t.poster.Stats(); st.Fetching > 0 || st.Failed > 0 {
		return errors.New("the picture of the notification has not come")
	}
	return nil
}

func (t *tree) close() {
	t.providers.Close()
	t.poster.Close()
}

// secrets() returns a value for every name, as if secrets.yaml contained all names.
func secrets(name string) (any, error) { return "the-" + name, nil }
