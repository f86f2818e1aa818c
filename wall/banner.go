package wall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/widgets/kit"
)

// typoTime is the time for which the walls show unknown keys of the files.
const typoTime = time.Hour

// setProblem shows the errors of the files on the walls and on /healthz. If there are no errors, it removes the previous errors.
func (s *Service) setProblem(errs []config.Diagnostic) {
	s.problem.Store(nil)
	if len(errs) > 0 {
		b := bannerOf(errs)
		if s.instead == nil { // the walls still show the previous files
			b.Stays = s.started.Add(time.Duration(s.loadedAt.Load()))
		}
		s.problem.Store(&b)
	}
	s.say()
}

// problemText returns the first error in the files, with its position, or "".
func (s *Service) problemText() string {
	if p := s.problem.Load(); p != nil {
		return p.String()
	}
	return ""
}

// setTypos shows unknown keys for typoTime, because a person would otherwise not notice a misspelled key.
func (s *Service) setTypos(r *config.Report) {
	typos := slices.DeleteFunc(slices.Clone(r.Diagnostics()), func(d config.Diagnostic) bool { return d.Code != config.CodeUnknownKey })
	s.typos.Store(nil)
	if len(typos) > 0 {
		b := bannerOf(typos)
		b.Notice, b.Until = true, time.Now().Add(typoTime)
		s.typos.Store(&b)
	}
	s.say()
}

// bannerOf returns the first error and the number of other errors.
func bannerOf(list []config.Diagnostic) kit.Banner {
	b := kit.Banner{Place: list[0].Place(), Words: list[0].Words()}
	if len(list) > 1 {
		b.Words += fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return b
}

// runPermits updates the banner whenever a permission is granted or withdrawn, until ctx ends.
func (s *Service) runPermits(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.builder.Grants.Changed:
			s.say()
		}
	}
}

// withdrawn() returns the banner for the first provider of the wall whose permission was withdrawn. ok is false if there is no such
// provider.
func (s *Service) withdrawn() (b kit.Banner, ok bool) {
	for _, name := range slices.Sorted(slices.Values(s.builder.Grants.Providers())) {
		_, used := s.builder.Providers.Find(name)
		if err := s.builder.Grants.Of(name).Withdrawn(); used && err != nil {
			return kit.Banner{Place: name, Words: err.Error(), Notice: true}, true
		}
	}
	return b, false
}

// say updates the banner at the bottom of the walls. It shows the first problem in this list that exists: an error in the files, a clock
// that is not set, a withdrawn permission, unknown keys.
func (s *Service) say() {
	var b kit.Banner
	if p, typos := s.problem.Load(), s.typos.Load(); p != nil {
		b = *p
	} else if !s.builder.TimeSet.Load() {
		b = kit.Banner{Words: s.noTime(), Notice: true}
	} else if gone, ok := s.withdrawn(); ok {
		b = gone
	} else if typos != nil {
		b = *typos
	}
	s.builder.Banner.Publish(b, time.Now())
}
