package wall

import (
	"cmp"
	"time"

	"dashboard/config"
	"dashboard/theme/sun"
	"dashboard/wall/draft"
	"dashboard/wall/scene"
)

// newEditor returns the editor.
func (s *Service) newEditor() *draft.Editor {
	return draft.NewEditor(draft.Parts{
		Builder: s.builder, Folder: func() scene.Folder { return s.opts.Folder }, Views: s.names, Size: s.viewSize, Mode: s.viewMode,
		Versions: draft.KeepVersions(s.store, s.opts.Home), Name: hostName, Foreign: s.foreign(), Reload: s.askReload, Log: s.log, Now: time.Now,
	})
}

// viewSize is the size of a running view.
func (s *Service) viewSize(name string) (w, h int) {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil || v.Shown.Load() == nil {
		return 0, 0
	}
	size := v.Size()
	return size.X, size.Y
}

// viewMode is the theme's mode of a running view.
func (s *Service) viewMode(name string) sun.Mode {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil || v.Shown.Load() == nil {
		return ""
	}
	return v.Mode()
}

// foreign returns the reason why the editor must not write the files, or "".
func (s *Service) foreign() string {
	switch {
	case s.opts.Demo:
		return "the demo's files are part of the program"
	case s.opts.Folder.Files != nil:
		return "the files come from elsewhere"
	}
	return ""
}
