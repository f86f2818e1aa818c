package wall

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/control"
	"dashboard/internal/folder"
	"dashboard/wall/daemon"
	"dashboard/wall/origin"
	"dashboard/wall/scene"
)

// originFolder is a folder in the state folder. It contains the copy of files from an address.
const originFolder = "origin"

// newOrigin returns the origin of the service's files.
func (s *Service) newOrigin() *origin.Origin {
	dir := ""
	if s.store != nil {
		var err error
		if dir, err = s.store.Folder(originFolder); err != nil {
			s.log.Warn("files from an address are not kept", "reason", err)
		}
	}
	return origin.New(origin.Parts{
		Home: s.opts.Home, Dir: dir, Version: s.opts.Version + daemon.Revision(),
		Check: s.checkFiles, Reload: s.askReload, Log: s.log, Now: time.Now,
	})
}

// source returns the folder with the files to read. It is the wall's local folder, or the files from the address in its conf.yaml. If the
// local folder has no widgets file and the files from the address are not here yet, the wall shows a clock.
func (s *Service) source() scene.Folder {
	from := s.opts.Folder
	if s.opts.Demo || from.Files != nil {
		return from
	}
	local := from.Open()
	var where *config.ConfigURL
	if c, ok := config.LoadConf(local, config.ConfName, &config.Report{}, daemon.Secrets(local)); ok {
		where = c.ConfigURL
	}
	from.Files = s.origin.Configure(where)
	if where != nil && from.Files == nil {
		if _, err := local.Stat(from.Widgets); errors.Is(err, fs.ErrNotExist) {
			from.Files = local.Draft(map[string][]byte{from.Widgets: []byte(plain)})
		}
	}
	s.from.Store(&from)
	return from
}

// shownFolder returns the files that were read last.
func (s *Service) shownFolder() scene.Folder {
	if from := s.from.Load(); from != nil {
		return *from
	}
	return s.opts.Folder
}

// checkFiles returns the errors in files that may be shown next. If the files need a newer version of the program, it returns only the
// error about the version.
func (s *Service) checkFiles(files *folder.Root) error {
	if c, _ := config.LoadConf(files, config.ConfName, &config.Report{}, daemon.Secrets(files)); c != nil {
		if err := recipe.CheckVersion(s.opts.Version, c.Requires); err != nil {
			return err
		}
	}
	from := s.opts.Folder
	from.Files = files
	_, report := s.builder.Aside().Load(from, scene.Alone(func() {}))
	return report.Err()
}

// takeOver performs the verb take_over: it requests the files from their address now.
func (s *Service) takeOver(ctx context.Context, _ control.Action) (control.Result, error) {
	st, err := s.origin.TakeOver(ctx)
	if err != nil {
		return nil, err
	}
	return control.Result{"revision": st.Revision}, nil
}

const (
	// shownEnd is the number of characters at the end of a token that the page shows. If a token is
	// shorter than leastToken, the page shows none of its characters.
	shownEnd, leastToken = 3, 12
)

// tokenEnd returns the last characters of a token, so that the owner can recognize it.
func tokenEnd(token string) string {
	if len(token) < leastToken {
		return ""
	}
	return token[len(token)-shownEnd:]
}

// shownAddress returns an address without the user name, the password and the query, because they may be secret.
func shownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// sourceReport describes the origin of the files for the page. If the files are in the wall's own folder, it returns nil.
func (s *Service) sourceReport() map[string]any {
	c, st := s.origin.Conf(), s.origin.State()
	if c == nil {
		return nil
	}
	every := time.Duration(c.Every)
	return map[string]any{
		"url": shownAddress(c.URL), "token": c.Token != "", "token_end": tokenEnd(c.Token),
		"folder": c.Folder, "every": every.Seconds(), "jitter": origin.Jitter(every).Seconds(),
		"revision": control.OrNull(st.Revision), "since": control.Moment(st.Since),
		"asked": control.Moment(st.Asked), "next": control.Moment(st.Next),
		"refused": control.OrNull(st.Refused),
		"problem": control.OrNull(strings.TrimPrefix(st.Problem, "config_url: the files were not taken: ")),
	}
}
