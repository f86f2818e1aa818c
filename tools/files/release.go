package files

import (
	"flag"
	"strconv"
	"time"
)

// A Release contains the parameters of tools that build files for a release.
type Release struct {
	Out, Programs string // folder for the results, and folder of the programs
	Version       string
	Date          time.Time // time of all files
}

// Flags defines the command line flags of a release. `out` and `programs` are the defaults for the two folders.
func (r *Release) Flags(out, programs string) {
	r.Date = time.Unix(0, 0).UTC()
	flag.StringVar(&r.Out, "out", out, "`folder` to write to")
	flag.StringVar(&r.Programs, "programs", programs, "`folder` of the programs")
	flag.StringVar(&r.Version, "version", "", "version of what is made")
	flag.Func("date", "date of every file, Unix `seconds`", func(text string) error {
		seconds, err := strconv.ParseInt(text, 10, 64)
		r.Date = time.Unix(seconds, 0).UTC()
		return err
	})
}
