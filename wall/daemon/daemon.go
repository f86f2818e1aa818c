// Package daemon starts and ends the programs of this module: signals, folders, versions, exit messages.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"dashboard/internal/folder"
)

// A Run is the main function of a program. It returns the exit status. It ends when ctx ends, and reads its configuration again
// after each receive from reload.
type Run func(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int

// Main runs a program and ends the process. SIGINT and SIGTERM end ctx. SIGUSR1, if it exists, is sent to reload. The program
// continues if nothing reads its log.
func Main(run Run) {
	signal.Ignore(syscall.SIGPIPE)
	// Handle reload signals from the start, because SIGUSR1 ends a program that does not handle it.
	reload := make(chan os.Signal, 1)
	notifyReload(reload)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, reload))
}

// ErrAnswered reports that the arguments requested a text, which has been printed, so that the program ends.
var ErrAnswered = errors.New("answered")

// Folder returns an error if the folder of a configuration does not exist. The error uses the given name. If name is "", the
// folder is the working directory.
func Folder(path, name string) error {
	if name == "" {
		return nil
	}
	info, err := folder.Dir(path).Stat(".")
	switch {
	case err != nil:
		return fmt.Errorf("--config-dir %s: %w", name, errors.Unwrap(err))
	case !info.IsDir():
		return fmt.Errorf("--config-dir %s: %w", name, syscall.ENOTDIR)
	}
	return nil
}

// Complain prints the reason for the end of a program. If a folder was given, it also prints the base of relative paths.
func Complain(w io.Writer, name string, err error, given, home string) {
	fmt.Fprintf(w, "%s: %v\n", name, err)
	if given != "" {
		fmt.Fprintf(w, "%s: config paths are relative to %s\n", name, home)
	}
}

// stopTime is the maximum time that the end of a program waits for running work, because the documentation promises two seconds.
const stopTime = 1500 * time.Millisecond

// End calls stop and waits for it, up to stopTime. It reports whether stop returned.
func End(stop func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		stop()
	}()
	select {
	case <-done:
		return true
	case <-time.After(stopTime):
		return false
	}
}

// commit is set by the linker, because Go's build information depends on the folder of the build.
var commit string

// Revision returns the commit of the build in brackets, if it is known.
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
