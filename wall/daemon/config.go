package daemon

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"dashboard/config"
	"dashboard/internal/folder"
)

// credentialsEnv is the name of the environment variable that contains the path of systemd's credentials (systemd.exec(5)).
const credentialsEnv = "CREDENTIALS_DIRECTORY"

// Secrets returns a source of secrets. It searches systemd's credentials first and then secrets.yaml. The source reads a value again for
// each use of the value. If the program cannot read secrets.yaml, the source reads the credential named secrets.yaml instead. systemd
// fills this credential with the file's content when the unit starts.
func Secrets(fsys fs.FS) config.SecretSource {
	dir := os.Getenv(credentialsEnv)
	if dir == "" {
		return config.SecretsFile(fsys, config.SecretsName)
	}
	path := config.SecretsName
	if handed := filepath.Join(dir, path); !readable(fsys, path) && readable(fsys, handed) {
		path = handed
	}
	return config.FirstSecret(config.Credentials(folder.Dir(dir)), config.SecretsFile(fsys, path))
}

func readable(fsys fs.FS, path string) bool {
	f, err := fsys.Open(path)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// Level returns the minimum level of log messages. `name` is the configured level. If `name` is unknown, Level returns info.
func Level(name string) slog.Level {
	switch name {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// Log logs each diagnostic on a separate line.
func Log(log *slog.Logger, r *config.Report) {
	for _, d := range r.Diagnostics() {
		if d.Severity == config.Error {
			log.Error(d.String())
		} else {
			log.Warn(d.String())
		}
	}
}

// Check prints all problems of a configuration, as text or as JSON. It returns the exit status: 1 if there is an error, otherwise 0.
func Check(w io.Writer, r *config.Report, asJSON bool) int {
	if asJSON {
		data, err := r.JSON()
		if err != nil {
			fmt.Fprintln(w, err)
			return 1
		}
		fmt.Fprintln(w, string(data))
	} else if err := r.Pretty(w, IsTerminal(w)); err != nil {
		return 1
	} else {
		fmt.Fprintln(w, verdict(len(r.Errors()), len(r.Warnings())))
	}
	if r.Failed() {
		return 1
	}
	return 0
}

func verdict(errs, warnings int) string {
	if errs == 0 && warnings == 0 {
		return "The configuration is right."
	}
	return fmt.Sprintf("%s, %s.", count(errs, "error"), count(warnings, "warning"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// IsTerminal reports whether w is a terminal to which the program may write colors.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
