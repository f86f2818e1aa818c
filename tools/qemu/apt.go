package qemu

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"dashboard/tools/command"
)

// An apt runs Debian's package manager with separate package lists. The lists are for arm64, and for a suite that may differ from this
// machine's suite. They come from this machine's mirrors. An apt changes nothing on this machine.
type apt struct {
	dir     string
	options []string
}

func newApt(ctx context.Context, suite, dir string) (*apt, error) {
	sources, err := Sources(ctx, "arm64", suite, "main")
	if err != nil {
		return nil, err
	}
	a := &apt{dir: dir}
	for _, d := range []string{"lists/partial", "archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{"sources.list": strings.Join(sources, "\n") + "\n", "status": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	for _, o := range []string{
		"Dir::Etc::sourcelist=" + filepath.Join(dir, "sources.list"), "Dir::Etc::sourceparts=-",
		"Dir::State::lists=" + filepath.Join(dir, "lists"), "Dir::State::status=" + filepath.Join(dir, "status"),
		"Dir::Cache::archives=" + filepath.Join(dir, "archives"), "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache=",
		"APT::Architecture=arm64", "APT::Architectures::=arm64",
		"Acquire::Languages=none", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
		"APT::Sandbox::User=root", // the folder belongs to the user who runs this program
	} {
		a.options = append(a.options, "-o", o)
	}
	return a, nil
}

// run runs apt-get or apt-cache with these lists.
func (a *apt) run(ctx context.Context, program string, args ...string) (string, error) {
	in := append([]string{"--chdir", a.dir, program}, a.options...)
	return command.Run(ctx, nil, "env", append(in, args...)...)
}
