// Package daemon contains the code for the start and the end of all programs of this module:
// signals, folders, versions and error messages.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"dashboard/internal/folder"
)

// A Run is the main function of a program. It runs until ctx ends and returns the exit status. After each value from the channel `reload`,
// it reads its configuration again.
type Run func(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int

// Main runs a program and ends the process with its exit status. SIGINT, SIGTERM and SIGHUP, which a closed terminal sends, end ctx.
// SIGUSR1, if the system has this signal, is sent to the channel `reload`. SIGPIPE is ignored, so the program continues if the log cannot
// be written.
func Main(run Run) {
	signal.Ignore(syscall.SIGPIPE)
	// Handle reload signals from the start, because SIGUSR1 ends a program that does not handle it.
	reload := make(chan os.Signal, 1)
	notifyReload(reload)
	ends := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, reload))
}

// ErrAnswered means that the arguments request only a text, such as the help. The text has been printed, and the program must end.
var ErrAnswered = errors.New("answered")

// Folder returns an error if the folder of a configuration does not exist. `name` is the value of --config-dir. If `name` is "", the folder
// is the working directory and is not checked.
func Folder(path, name string) error {
	if name == "" {
		return nil
	}
	info, err := folder.Dir(path).Stat(".")
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return fmt.Errorf("%s is a file: name its folder, %s", name, filepath.Dir(name))
	case err != nil:
		return fmt.Errorf("--config-dir %s: %w", name, errors.Unwrap(err))
	}
	return nil
}

// Complain prints the reason why a program ends. The parameter `given` is the value of --config-dir. If it is not "", Complain also prints
// that relative paths begin at the folder `home`.
func Complain(w io.Writer, name string, err error, given, home string) {
	fmt.Fprintf(w, "%s: %v\n", name, err)
	if given != "" {
		fmt.Fprintf(w, "%s: config paths are relative to %s\n", name, home)
	}
}

// StopTime is the time for which a program waits at its end for work that still runs. The documentation promises an end within two
// seconds. Tests set a longer time, because a busy machine needs more time.
var StopTime = 1500 * time.Millisecond

// End calls `stop` and waits until it returns, for at most StopTime. It returns false if `stop` has not returned.
func End(stop func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		stop()
	}()
	select {
	case <-done:
		return true
	case <-time.After(StopTime):
		return false
	}
}

// commit is the commit of the build. The linker sets it, because Go records the commit only if the build runs in the repository's folder.
var commit string

// Revision returns the commit of the build in parentheses. If the commit is not known, Revision returns "".
func Revision() string {
	rev := commit
	if info, ok := debug.ReadBuildInfo(); ok && rev == "" {
		i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" })
		if i >= 0 {
			rev = info.Settings[i].Value
		}
	}
	if rev == "" {
		return ""
	}
	return "(" + rev[:min(12, len(rev))] + ")"
}
