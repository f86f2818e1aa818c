// Package folder opens the files that a configuration names. It opens only regular files, and it never waits long for a file system.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// OpenTime is the time limit for one call of the system. A disk that starts to spin and a network share on a busy line answer within
	// this time. A server that is switched off never answers.
	OpenTime = 3 * time.Second
	// MaxHung is the maximum number of calls of a root that still run after OpenTime. Each of these calls holds a thread until the system
	// answers. When the maximum is reached, the root returns errors at once. A wall with a hundred pictures on a share that does not answer
	// therefore starts soon.
	MaxHung = 3
)

// ErrHung means that the file system of a file does not answer. Errors wrap it.
var ErrHung = errors.New("the file system does not answer")

// ErrNotRegular means that a path is not a regular file, but a folder, a pipe, a socket or a device. Errors wrap it.
var ErrNotRegular = errors.New("not a regular file")

// A Root opens files by names relative to one folder. It is an [fs.FS] with two differences. Absolute names and names with ".." are
// allowed, because a configuration may name any file of the machine. Only regular files are opened. A Root is safe for concurrent use.
// Errors are of type *fs.PathError.
type Root struct {
	dir  string            // absolute path, or a relative path if the working directory was removed
	hung atomic.Int32      // running calls whose caller has stopped waiting
	over map[string][]byte // contents that replace files of the folder, by name. See Over
	same bool              // true if MarshalText omits the changed names. See Draft
}

// Dir returns the root of a folder. "" is the current working directory.
func Dir(dir string) *Root {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &Root{dir: dir}
}

// MarshalText returns the folder, so that different roots have different JSON forms.
func (r *Root) MarshalText() ([]byte, error) {
	if len(r.over) > 0 && !r.same {
		return []byte(r.dir + "\n" + r.keptNames()), nil
	}
	return []byte(r.dir), nil
}

// Path returns the path of the file that the root opens for a name.
func (r *Root) Path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.dir, name)
}

// Open implements fs.FS. Reading from the file has the same time limit as Open.
func (r *Root) Open(name string) (fs.File, error) {
	if f, ok := r.kept(name); ok {
		return f, nil
	}
	f, err := within(r, "open", name, func() (*os.File, error) { return openRegular(r.Path(name)) }, func(f *os.File) { f.Close() })
	if err != nil {
		return nil, err
	}
	return &file{root: r, name: name, file: f}, nil
}

// Stat implements fs.StatFS. It accepts any kind of file.
func (r *Root) Stat(name string) (fs.FileInfo, error) {
	if f, ok := r.kept(name); ok {
		return f, nil
	}
	return within(r, "stat", name, func() (fs.FileInfo, error) { return os.Stat(r.Path(name)) }, nil)
}

// openRegular opens a regular file. It checks the path first, because opening some devices has an effect. For example, opening a watchdog
// device starts the watchdog. It checks the open file again, because the path may lead to another file by then. With O_NONBLOCK it does
// not wait for the other end of a pipe (open(2)).
func openRegular(path string) (*os.File, error) {
	if err := regular(os.Stat(path)); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if err := regular(f.Stat()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func regular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(kind(info.Mode()))
	}
	return err
}

// notRegular is an ErrNotRegular that also names the type of the file.
type notRegular string

func (e notRegular) Error() string        { return "is " + string(e) + ", not a file" }
func (e notRegular) Is(target error) bool { return target == ErrNotRegular }

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// An answer is the result of a system call.
type answer[T any] struct {
	v   T
	err error
}

// If the timer of within() is late by at least stopTime, the process itself was stopped. within() then waits for OpenTime again.
const stopTime = 100 * time.Millisecond

// within() makes a call and waits for its result, for at most OpenTime. If the result arrives later, within() passes the result to
// `drop`, unless `drop` is nil.
func within[T any](r *Root, op, name string, call func() (T, error), drop func(T)) (v T, err error) {
	if r.hung.Load() >= MaxHung {
		return v, &fs.PathError{Op: op, Path: name, Err: ErrHung}
	}
	done, gone := make(chan answer[T]), make(chan struct{})
	go func() {
		v, err := call()
		select {
		case done <- answer[T]{v, err}:
		case <-gone:
			if r.hung.Add(-1); err == nil && drop != nil {
				drop(v)
			}
		}
	}()
	begin, timer := time.Now(), time.NewTimer(OpenTime)
	defer timer.Stop()
	for again := true; ; again = false {
		select {
		case a := <-done:
			return a.v, pathError(op, name, a.err)
		case <-timer.C:
			if again && time.Since(begin) > OpenTime+stopTime {
				timer.Reset(OpenTime)
				continue
			}
			r.hung.Add(1)
			close(gone)
			return v, &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%w within %v", ErrHung, OpenTime)}
		}
	}
}

// pathError converts an error to an *fs.PathError with the requested name.
func pathError(op, name string, err error) error {
	var p *fs.PathError
	switch {
	case err == nil, err == io.EOF:
		return err
	case errors.As(err, &p):
		err = p.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
