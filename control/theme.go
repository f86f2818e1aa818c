package control

import (
	"context"
	"errors"
	"log/slog"
)

// Themes are the themes of a wall.
type Themes interface {
	// Theme returns the state now, or ErrOneTheme.
	Theme(ctx context.Context) (ThemeState, error)
	// SetTheme sets the mode (day, night, auto) with a hold (next, forever; unused by auto) and returns the new state. It returns
	// ErrOneTheme or ErrNoPlace. Any other error means that the theme cannot change.
	SetTheme(ctx context.Context, mode, hold string) (ThemeState, error)
}

// Theme implements Verbs.
func (w *Walls) Theme(ctx context.Context, by Caller, view, mode, hold string) (ThemeState, error) {
	return on(ctx, w, by, asked{"theme", view, mode}, func(ctx context.Context, wall *Wall) (ThemeState, error) {
		return wall.theme(ctx, w.Log, mode, hold)
	})
}

// ThemeOf is the theme of a view.
func (w *Walls) ThemeOf(ctx context.Context, view string) (ThemeState, error) {
	wall := w.Wall(view)
	switch {
	case wall == nil:
		return ThemeState{}, ErrNoView
	case wall.Themes == nil:
		return ThemeState{}, ErrOneTheme
	}
	st, err := wall.Themes.Theme(ctx)
	return st, themeError(w.Log, err)
}

// theme checks the words and sets the theme.
func (wall *Wall) theme(ctx context.Context, log *slog.Logger, mode, hold string) (ThemeState, error) {
	if wall.Themes == nil {
		return ThemeState{}, ErrOneTheme
	}
	st, err := wall.Themes.Theme(ctx)
	if err != nil {
		return st, themeError(log, err)
	}
	if mode == "toggle" {
		mode = map[string]string{"day": "night", "night": "day"}[st.Mode]
	}
	switch {
	case mode != "day" && mode != "night" && mode != "auto":
		return st, ErrMode
	case mode == "auto" && !st.Located:
		return st, ErrNoPlace
	case hold != "" && hold != "next" && hold != "forever":
		return st, ErrThemeHold
	case hold == "":
		hold = "next"
	}
	st, err = wall.Themes.SetTheme(ctx, mode, hold)
	return st, themeError(log, err)
}

// themeError logs an internal error and hides it from callers.
func themeError(log *slog.Logger, err error) error {
	if err == nil || errors.Is(err, ErrOneTheme) || errors.Is(err, ErrNoPlace) {
		return err
	}
	log.Error("theme not changed", "error", err)
	return ErrThemeFailed
}
