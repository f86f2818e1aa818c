package wall

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/wall/reload"
	"dashboard/wall/scene"
)

// lastGood is the kind of the file in the state folder that contains the configuration that was shown last.
const lastGood = "config"

// keepGood stores the shown files for a later start. `seen` is the fingerprint of the files when they were read. If the files have
// changed since then, or if they are too large, keepGood stores nothing.
func (s *Service) keepGood(seen [sha256.Size]byte) {
	s.instead = nil
	if s.opts.Demo {
		return
	}
	files := reload.Collect(s.opts.Home)
	data, err := json.Marshal(files)
	if err != nil || reload.Fingerprint(s.opts.Home) != seen || len(data) > state.MaxFile {
		return
	}
	if s.store == nil {
		s.shown = files
		return
	}
	if old, ok := s.store.Load(lastGood, s.opts.Home); ok && bytes.Equal(old, data) {
		return // do not write an unchanged file, because each write wears the card
	}
	if err := s.store.Save(lastGood, s.opts.Home, data); err != nil {
		s.log.Warn("the configuration is not kept for a start after a mistake", "reason", err)
	}
}

// good() returns the files that were shown last.
func (s *Service) good() (fallback, bool) {
	f := fallback{what: "the files that were shown last", files: s.shown, theme: s.opts.Theme}
	if s.store == nil {
		return f, s.shown != nil
	}
	data, ok := s.store.Load(lastGood, s.opts.Home)
	return f, ok && json.Unmarshal(data, &f.files) == nil
}

// A fallback is a configuration for a start with errors in the files.
type fallback struct {
	what  string
	files reload.KeptConfig // contents that replace files of the folder
	theme string            // theme, as in the option --theme
}

// `plain` is the widgets file of the wall that is shown if no configuration is stored. It needs no values and no network.
const plain = "widgets:\n  - {widget: clock}\n"

// fallbacks() returns the configurations to try, in this order: the configuration that was shown last, a plain wall with the general
// settings of the folder, and a plain wall with built-in settings.
func (s *Service) fallbacks() []fallback {
	var all []fallback
	if f, ok := s.good(); ok {
		all = append(all, f)
	}
	wall := reload.KeptConfig{s.opts.Widgets: []byte(plain), "providers.yaml": []byte("providers: {}\n")}
	bare := maps.Clone(wall)
	bare[config.ConfName] = s.opts.Plain
	const theme = "calm"
	return append(all, fallback{"a clock", wall, theme}, fallback{"a clock, with settings of its own", bare, theme})
}

// beginFallback starts with the first fallback that has no errors. If all have errors, it returns false.
func (s *Service) beginFallback(report *config.Report) bool {
	for _, f := range s.fallbacks() {
		g := s.loadInstead(f)
		if g == nil {
			continue
		}
		s.instead = &f
		if !s.fresh() {
			s.log.Error("the files have errors: the wall starts without them, and uses them when they are fixed", "instead", f.what)
		}
		s.begin(g)
		s.setProblem(report.Errors())
		s.watching.Store(true) // watch the files even if the fallback turns watching off, so that the wall notices when they are fixed
		s.lookAgain()
		return true
	}
	return false
}

// fresh() reports whether the editor was started for a folder without a wall.
func (s *Service) fresh() bool {
	if !s.opts.Screenless {
		return false
	}
	for _, name := range []string{config.ConfName, s.opts.Widgets} {
		if _, err := s.opts.Open().Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// loadInstead loads a fallback. If the fallback has errors too, it returns nil.
func (s *Service) loadInstead(f fallback) *scene.Generation {
	from := s.opts.Folder
	from.Theme, from.Files = f.theme, s.opts.Open().Over(f.files)
	g, _ := s.builder.Load(from, s.seatOf)
	return g
}

// layOut arranges the wall again for a new screen size while the files have errors. It uses the fallback of the start, if the wall still
// shows it, and otherwise the configuration that was shown last.
func (s *Service) layOut(ctx context.Context) {
	f, ok := s.good()
	if s.instead != nil {
		f, ok = *s.instead, true
	}
	if !ok {
		return
	}
	watching := s.watching.Load() // the fallback must not change s.watching
	if g := s.loadInstead(f); g != nil && s.replace(ctx, g) == nil {
		s.watching.Store(watching)
		s.lookAgain()
		s.log.Info("the screen has another size: the wall is laid out again", "from", f.what)
	}
}

// lookAgain makes watch() read s.watching again.
func (s *Service) lookAgain() {
	select {
	case s.rewatch <- struct{}{}:
	default:
	}
}
