// Package daemon is how the programs of this module begin and end: signals, folders, versions, exit texts.
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

// A Run is a program: arguments in, exit status out. It returns when ctx ends, and reads its configuration again when it
// receives from reload.
type Run func(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int

// Main runs a program and ends the process. SIGINT and SIGTERM end ctx. SIGUSR1, if it exists, goes to reload. A log
// without a reader does not end the program.
func Main(run Run) {
	signal.Ignore(syscall.SIGPIPE)
	// Reloads are accepted from the first moment, because SIGUSR1 ends a program that does not handle it.
	reload := make(chan os.Signal, 1)
	notifyReload(reload)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, reload))
}

// ErrAnswered reports that the arguments requested a text, which has been printed: the program is done.
var ErrAnswered = errors.New("answered")

// Folder reports that the folder of a configuration is not there, by the name that it was given. If "", it is the working directory.
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

// Complain prints why a program ends, and, if it was given a folder, the base of relative paths.
func Complain(w io.Writer, name string, err error, given, home string) {
	fmt.Fprintf(w, "%s: %v\n", name, err)
	if given != "" {
		fmt.Fprintf(w, "%s: config paths are relative to %s\n", name, home)
	}
}

// stopTime bounds how long the end of a program waits for running work, because two seconds are promised.
const stopTime = 1500 * time.Millisecond

// End calls stop and waits for it, but not for longer than a program may take to end. It reports whether stop returned.
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

// commit is set by the linker, because Go's own build information depends on the folder of the build.
var commit string

// Revision is the commit the program was built from, in brackets, if it is known.
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
