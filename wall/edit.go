package wall

import (
	"cmp"
	"time"

	"dashboard/config"
	"dashboard/control/pairing"
	"dashboard/theme/sun"
	"dashboard/wall/draft"
	"dashboard/wall/scene"
	"dashboard/widgets/notice"
)

// newEditor returns the editor.
func (s *Service) newEditor() *draft.Editor {
	return draft.NewEditor(draft.Parts{
		Builder: s.builder, Folder: func() scene.Folder { return s.opts.Folder }, Views: s.listed, Size: s.viewSize, Mode: s.viewMode,
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

const (
	// welcomeTime is how long the wall shows that a device may edit.
	welcomeTime = 5 * time.Second
	// codeSpace is the number of digits before the blank in a code.
	codeSpace = 3
)

// showEditCode shows the code of a device that asks to edit on all views, or the name of a device that may.
func (s *Service) showEditCode(code, name string) {
	sign, lasts := notice.Sign{Title: name, Note: "may edit this wall"}, welcomeTime
	if len(code) > codeSpace {
		digits := code[:codeSpace] + " " + code[codeSpace:]
		sign = notice.Sign{Title: digits, Note: "Allow " + name + " to edit this wall? Enter these digits there."}
		lasts = pairing.WaitTime
	}
	for _, v := range s.all() {
		v.Identify(sign, lasts)
	}
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
