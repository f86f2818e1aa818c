package wall

import (
	"cmp"
	"errors"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/config"
	"dashboard/control/pairing"
	"dashboard/theme/sun"
	"dashboard/wall/draft"
	"dashboard/wall/outputs"
)

// newEditor returns the editor.
func (s *Service) newEditor() *draft.Editor {
	return draft.NewEditor(draft.Parts{
		Builder: s.builder, Folder: s.shownFolder, Views: s.listed, Size: s.viewSize, Mode: s.viewMode,
		Versions: draft.KeepVersions(s.store, s.opts.Home), Store: s.store, Home: s.opts.Home,
		Name: hostName, Homes: s.homes, Foreign: s.foreign, Reload: s.askReload, Log: s.log, Now: time.Now,
		Keeper: s.cardKeeper(),
	})
}

// cardKeeper returns the keeper that writes the wall's files on an appliance. On another machine it returns nil.
func (s *Service) cardKeeper() draft.Keeper {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return nil
	}
	return cardKeeper{cmp.Or(s.opts.AskSocket, askSocket)}
}

// A cardKeeper sends files through a socket to the program that writes the memory card. It implements [draft.Keeper].
type cardKeeper struct{ socket string }

// Save implements [draft.Keeper].
func (k cardKeeper) Save(files []draft.Replaced) error {
	var list []about.CardFile
	for _, f := range files {
		one := about.CardFile{Name: f.Name, Data: f.After}
		if f.Before != nil {
			one.Before = about.SumOf(f.Before)
		}
		list = append(list, one)
	}
	err := about.Save(k.socket, list)
	if errors.Is(err, about.ErrChanged) {
		return draft.ErrChanged
	}
	return err
}

// viewSize returns the size of a running view.
func (s *Service) viewSize(name string) (w, h int) {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil || v.Shown.Load() == nil {
		return 0, 0
	}
	size := v.Size()
	return size.X, size.Y
}

// viewMode returns the mode (day or night) of the theme of a running view.
func (s *Service) viewMode(name string) sun.Mode {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil || v.Shown.Load() == nil {
		return ""
	}
	return v.Mode()
}

const (
	// welcomeTime is the time for which the wall shows that a device has received the permission to edit.
	welcomeTime = 5 * time.Second
	// codeSpace is the number of digits of a code before the space, as in "123 456".
	codeSpace = 3
	// clockTime is the format of the times in the question about a device.
	clockTime = "15:04"
)

// An askNote is a note about a device that requests permission to edit, or about a wall that requests permission to control this wall.
type askNote struct {
	startscreen.Content
	until  time.Time
	refuse func() // function that refuses the request
}

// showEditCode shows the code of a device that requests permission to edit. If `code` is empty, the wall shows that the device has
// received the permission.
func (s *Service) showEditCode(code, name string) {
	w := startscreen.WordsOf(s.language())
	s.showCode(s.editors, code, name, startscreen.With(w.Edit, name), w.MayEdit)
}

// showPeerCode shows the code of a wall that requests permission to control this wall. If only `code` is empty, this wall shows that the
// other wall has received the permission. If both parameters are empty, showPeerCode removes the code.
func (s *Service) showPeerCode(code, name string) {
	if code == "" && name == "" {
		s.askedToEdit.Store(nil)
		s.redraw()
		return
	}
	w := startscreen.WordsOf(s.language())
	s.showCode(s.peers, code, name, startscreen.With(w.Control, name), w.MayControl)
}

// language returns the language of the main view, or "" before this view is shown.
func (s *Service) language() string {
	if v := s.main().Shown.Load(); v != nil {
		return v.Gen.Region.Locale.Language
	}
	return ""
}

// hasScreen reports whether a view is shown on a screen of this machine.
func (s *Service) hasScreen() bool {
	for _, v := range s.all() {
		if shown := v.Shown.Load(); shown != nil && outputs.FirstWindow(shown.Outputs) != nil {
			return true
		}
	}
	return false
}

// showCode shows a code with a question. If `code` is empty, it shows the name of the device and its new permission. Only the screens of
// this machine show these texts, because callers with the remote's token can see the frames of the wall.
func (s *Service) showCode(from *pairing.Registry, code, name, question, permission string) {
	now := time.Now()
	n := &askNote{Content: startscreen.Content{Name: name, Version: permission}, until: now.Add(welcomeTime)}
	if len(code) > codeSpace {
		n.Name, n.Version = code[:codeSpace]+" "+code[codeSpace:], question
		n.until = now.Add(pairing.WaitTime)
		n.Ask = &startscreen.Ask{At: now.Format(clockTime), Until: n.until.Format(clockTime), Refuse: s.touchable(), Language: s.language()}
		n.refuse = func() { refuseCode(from, code) }
	}
	s.askedToEdit.Store(n)
	s.note.Now.Store(&n.Content)
	s.redraw()
}

// foreign() returns the reason why the editor must not write the files, for example "the files come from the address in config_url". If the
// editor may write them, foreign returns "".
func (s *Service) foreign() string {
	switch {
	case s.opts.Demo:
		return "the demo's files are part of the program"
	case s.opts.Files != nil:
		return "the files come from elsewhere"
	case s.origin.State().On:
		return "the files come from the address in config_url"
	}
	return ""
}
