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
	until time.Time
	from  *pairing.Registry // registry of the request
	id    string            // the request's ID
	code  string            // code of the request; "" if the note shows a new permission
}

// showEditCode shows the code of the request `id` of a device that asks for permission to edit. If `code` is empty, the wall removes this
// code, and shows that the device has received the permission if there is a name.
func (s *Service) showEditCode(id, code, name string) {
	w := startscreen.WordsOf(s.language())
	if code == "" {
		s.endCode(s.editors, id, name, w.MayEdit)
		return
	}
	s.showCode(s.editors, id, code, startscreen.With(w.Edit, name))
}

// showPeerCode shows the code of a wall that requests permission to control this wall. If only `code` is empty, this wall shows that the
// other wall has received the permission. If both parameters are empty, showPeerCode removes the code.
func (s *Service) showPeerCode(code, name string) {
	w := startscreen.WordsOf(s.language())
	if code == "" {
		s.endCode(s.peers, "", name, w.MayControl)
		return
	}
	s.showCode(s.peers, "", code, startscreen.With(w.Control, name))
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

// showCode shows the code of a request with a question. Only the screens of this machine show it, because callers with the remote's token
// can see the frames of the wall.
func (s *Service) showCode(from *pairing.Registry, id, code, question string) {
	now := time.Now()
	n := &askNote{until: now.Add(pairing.WaitTime), from: from, id: id, code: code}
	n.Name, n.Version = code[:codeSpace]+" "+code[codeSpace:], question
	n.Ask = &startscreen.Ask{At: now.Format(clockTime), Until: n.until.Format(clockTime), Refuse: s.touchable(), Language: s.language()}
	for _, r := range from.Asking(now) {
		if r.ID == id {
			n.Ask.From = r.Browser
		}
	}
	s.note.Now.Store(&n.Content) // first, because endCode may follow as soon as askedToEdit has the note
	s.askedToEdit.Store(n)
	s.redraw()
}

// endCode removes the code of a request. If there is a name, it shows this name and the new permission for a few seconds. If the screen
// shows the code of another request, nothing changes.
func (s *Service) endCode(from *pairing.Registry, id, name, permission string) {
	now := time.Now()
	a := s.askedToEdit.Load()
	free := a == nil || a.code == "" || !now.Before(a.until)
	if !free && (a.from != from || a.id != id) || free && name == "" {
		return
	}
	var next *askNote
	var content *startscreen.Content
	if name != "" {
		next = &askNote{Content: startscreen.Content{Name: name, Version: permission}, until: now.Add(welcomeTime)}
		content = &next.Content
	}
	if !s.askedToEdit.CompareAndSwap(a, next) {
		return
	}
	if free {
		s.note.Now.Store(content)
	} else {
		s.note.Now.CompareAndSwap(&a.Content, content)
	}
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
