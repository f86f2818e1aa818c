package control

import (
	"context"
	"errors"
	"log/slog"

	"dashboard/control/verb"
)

// Themes controls the theme of a wall.
type Themes interface {
	// Theme returns the current state, or ErrOneTheme if there is only one theme.
	Theme(ctx context.Context) (ThemeState, error)
	// SetTheme sets the mode (day, night or auto) and returns the new state. `hold` is next or forever. It has no effect if the mode is
	// auto. The error is ErrOneTheme if there is only one theme. It is ErrNoPlace if the mode is auto and the coordinates of the wall are
	// unknown. With any other error, the change failed.
	SetTheme(ctx context.Context, mode, hold string) (ThemeState, error)
}

// ThemeOf returns the state of a view's theme.
func (w *Walls) ThemeOf(ctx context.Context, view string) (ThemeState, error) {
	wall := w.Wall(view)
	if wall == nil {
		return ThemeState{}, ErrNoView
	}
	return themeOf(ctx, w.Log, wall)
}

func themeOf(ctx context.Context, log *slog.Logger, wall *Wall) (ThemeState, error) {
	if wall.Themes == nil {
		return ThemeState{}, ErrOneTheme
	}
	st, err := wall.Themes.Theme(ctx)
	return st, themeError(log, err)
}

// themed() returns an error if the wall has no theme that can be set.
func themed(ctx context.Context, w *Walls, wall *Wall) error {
	_, err := themeOf(ctx, w.Log, wall)
	return err
}

// setTheme sets the theme.
func setTheme(ctx context.Context, w *Walls, wall *Wall, a Action) (Result, error) {
	st, err := themeOf(ctx, w.Log, wall)
	if err != nil {
		return nil, err
	}
	mode, hold := a.Args.Text("mode"), a.Args.Text("hold")
	if mode == "toggle" {
		mode = map[string]string{"day": "night", "night": "day"}[st.Mode]
	}
	switch {
	case mode == "":
		return nil, verb.ErrMode
	case mode == "auto" && !st.Located:
		return nil, ErrNoPlace
	case hold != "" && hold != "next" && hold != "forever":
		return nil, verb.ErrThemeHold
	case hold == "":
		hold = "next"
	}
	st, err = wall.Themes.SetTheme(ctx, mode, hold)
	return done(ThemeFields(st), themeError(w.Log, err))
}

// themeError logs an internal error and returns ErrThemeFailed, so that callers do not see the details.
func themeError(log *slog.Logger, err error) error {
	if err == nil || errors.Is(err, ErrOneTheme) || errors.Is(err, ErrNoPlace) {
		return err
	}
	log.Error("theme not changed", "error", err)
	return ErrThemeFailed
}
