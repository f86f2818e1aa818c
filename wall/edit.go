package wall

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/config"
	"dashboard/control/pairing"
	"dashboard/theme/sun"
	"dashboard/wall/draft"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// newEditor returns the editor.
func (s *Service) newEditor() *draft.Editor {
	return draft.NewEditor(draft.Parts{
		Builder: s.builder, Folder: s.shownFolder, Views: s.listed, Size: s.viewSize, Mode: s.viewMode,
		Versions: draft.KeepVersions(s.store, s.opts.Home), Name: hostName, Homes: s.homes, Foreign: s.foreign, Reload: s.askReload, Log: s.log, Now: time.Now,
		Keeper: s.cardKeeper(),
	})
}

// cardKeeper writes the files of the wall on an appliance. It is nil on another machine.
func (s *Service) cardKeeper() draft.Keeper {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return nil
	}
	return cardKeeper{cmp.Or(s.opts.AskSocket, askSocket)}
}

// A cardKeeper sends files to the keeper of a card through a socket.
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

// viewMode returns the theme's mode of a running view.
func (s *Service) viewMode(name string) sun.Mode {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil || v.Shown.Load() == nil {
		return ""
	}
	return v.Mode()
}

const (
	// welcomeTime is the time for which the wall shows that a device may edit.
	welcomeTime = 5 * time.Second
	// codeSpace is the number of digits before the space in a code.
	codeSpace = 3
	// clockTime is the format of the times in a question.
	clockTime = "15:04"
)

// An askNote is a note about a device that requests permission to edit.
type askNote struct {
	startscreen.Content
	until  time.Time
	refuse func() // refuses the request
}

// showEditCode shows the code of a device that requests permission to edit. If code is empty, it shows that the device has the
// permission.
func (s *Service) showEditCode(code, name string) {
	s.showCode(s.editors, code, name, "Allow "+name+" to edit?", "may edit this wall")
}

// showPeerCode shows the code of a wall that requests permission to control this one. If code is empty, it shows that the wall has
// the permission. If both are empty, it removes the code.
func (s *Service) showPeerCode(code, name string) {
	if code == "" && name == "" {
		s.askedToEdit.Store(nil)
		s.redraw()
		return
	}
	s.showCode(s.peers, code, name, "Allow "+name+" to control this wall?", "may control this wall")
}

// hasScreen reports whether a screen of this machine shows the wall.
func (s *Service) hasScreen() bool {
	for _, v := range s.all() {
		if shown := v.Shown.Load(); shown != nil && outputs.FirstWindow(shown.Outputs) != nil {
			return true
		}
	}
	return false
}

// showCode shows a code with a question, or a name with its new permission. It is only drawn on the screens of the machine,
// because callers with the remote's token can see the frames.
func (s *Service) showCode(from *pairing.Registry, code, name, question, permission string) {
	now := time.Now()
	n := &askNote{Content: startscreen.Content{Name: name, Version: permission}, until: now.Add(welcomeTime)}
	if len(code) > codeSpace {
		n.Name, n.Version = code[:codeSpace]+" "+code[codeSpace:], question
		n.until = now.Add(pairing.WaitTime)
		n.Ask = &startscreen.Ask{At: now.Format(clockTime), Until: n.until.Format(clockTime), Refuse: s.touchable()}
		n.refuse = func() { refuseCode(from, code) }
	}
	s.askedToEdit.Store(n)
	s.note.Now.Store(&n.Content)
	s.redraw()
}

// foreign returns the reason why the editor must not write the files, or "".
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

// drafted returns the views that can be edited, which excludes those for phones.
func (s *Service) drafted() []string {
	return slices.DeleteFunc(s.names(), scene.IsPhone)
}
