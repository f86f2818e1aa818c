// Command packaging writes the files of a Debian package that come out of the program itself: manual pages, shell
// completion, the changelog and the licences of everything that is linked in.
//
// packaging/*.yaml say which of them, with what else, go into which package.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dashboard/internal/cli"
)

func main() {
	p := papers{}
	flag.StringVar(&p.dir, "out", "dist/stage", "`folder` to write to")
	flag.StringVar(&p.version, "version", "", "version of the packages")
	flag.StringVar(&p.maintainer, "maintainer", "", "`NAME <ADDRESS>` of who answers for the packages")
	flag.StringVar(&p.programs, "programs", "", "`folder` of the programs, whose licences are told")
	seconds := flag.Int64("date", 0, "date of the packages, Unix `seconds`")
	flag.Parse()
	p.date = time.Unix(*seconds, 0).UTC()
	if err := p.write(); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// papers are what goes with the programs.
type papers struct {
	dir, version, maintainer, programs string
	date                               time.Time
}

// write writes everything of both packages.
func (p *papers) write() error {
	for _, program := range []*cli.Program{cli.Dashboard(), cli.Client()} {
		if err := p.writeProgram(program); err != nil {
			return err
		}
	}
	pages, err := settingsPages()
	if err != nil {
		return err
	}
	for name, text := range pages {
		if err := p.writeZipped("man/"+name, text); err != nil {
			return err
		}
	}
	return nil
}

// writeProgram writes what belongs to one program, which has the name of its package.
func (p *papers) writeProgram(program *cli.Program) error {
	rights, err := copyright(filepath.Join(p.programs, program.Name))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"copyright": rights,
		"bash":      program.Completion("bash"),
		"zsh":       program.Completion("zsh"),
		"fish":      program.Completion("fish"),
	} {
		if err := p.writeFile(program.Name+"/"+name, []byte(text)); err != nil {
			return err
		}
	}
	if err := p.writeZipped(program.Name+"/changelog", p.changelog(program.Name)); err != nil {
		return err
	}
	return p.writeZipped("man/"+program.Name+".1", program.Man())
}

// changelog is the Debian changelog of a package: what changed is told by the project's history.
func (p *papers) changelog(name string) string {
	return fmt.Sprintf("%s (%s) unstable; urgency=medium\n\n  * What changed is told by the project's history.\n\n -- %s  %s\n",
		name, p.version, p.maintainer, p.date.Format(time.RFC1123Z))
}

// writeZipped writes a text as Debian wants manual pages: compressed as far as possible, without name and time.
func (p *papers) writeZipped(name, text string) error {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(text)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return p.writeFile(name+".gz", buf.Bytes())
}

func (p *papers) writeFile(name string, data []byte) error {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
