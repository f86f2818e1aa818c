// Command packaging writes the files of a Debian package that are made from the program. These are manual pages, shell completion, the
// changelog, and the licenses of all linked code.
//
// The files packaging/*.yaml list the content of each package.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dashboard/cmd/shared/cli"
	"dashboard/tools/files"

	"github.com/spf13/cobra"
)

func main() {
	p := papers{}
	p.Flags("dist/stage", "")
	flag.StringVar(&p.maintainer, "maintainer", "", "`NAME <ADDRESS>` of who answers for the packages")
	flag.Parse()
	if err := p.write(); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// papers writes the files that accompany the programs.
type papers struct {
	files.Release
	maintainer string
}

// write writes the files for both packages.
func (p *papers) write() error {
	for _, program := range []*cobra.Command{cli.Dashboard(&cli.Options{}, p.Version), cli.Client(&cli.ClientOptions{}, p.Version)} {
		if err := p.writeProgram(program); err != nil {
			return err
		}
	}
	pages, err := settingsPages()
	if err != nil {
		return err
	}
	return p.writePages("man/", pages)
}

// writeProgram writes the files for one program. Its package has the same name as the program.
func (p *papers) writeProgram(root *cobra.Command) error {
	name := root.Name()
	rights, err := copyright(filepath.Join(p.Programs, name))
	if err != nil {
		return err
	}
	if err := p.writeFile(name+"/copyright", []byte(rights)); err != nil {
		return err
	}
	for _, shell := range cli.Shells() {
		var script bytes.Buffer
		if err := cli.Completion(root, shell, &script); err != nil {
			return err
		}
		if err := p.writeFile(name+"/"+shell, script.Bytes()); err != nil {
			return err
		}
	}
	if err := p.writeZipped(name+"/changelog", p.changelog(name)); err != nil {
		return err
	}
	pages, err := commandPages(root, p.Date)
	if err != nil {
		return err
	}
	return p.writePages("man/"+name+"/", pages)
}

// writePages writes manual pages. The keys of `pages` are file names.
func (p *papers) writePages(folder string, pages map[string]string) error {
	for page, text := range pages {
		if err := p.writeZipped(folder+page, text); err != nil {
			return err
		}
	}
	return nil
}

// changelog returns the Debian changelog of a package. The changelog refers to the project's own list of changes.
func (p *papers) changelog(name string) string {
	return fmt.Sprintf("%s (%s) unstable; urgency=medium\n\n  * What changed is told by the project's history.\n\n -- %s  %s\n",
		name, p.Version, p.maintainer, p.Date.Format(time.RFC1123Z))
}

// writeZipped compresses a text and writes it, as Debian requires for manual pages: with the best compression, and without a name or time.
func (p *papers) writeZipped(name, text string) error {
	packed, err := files.Gzip([]byte(text))
	if err != nil {
		return err
	}
	return p.writeFile(name+".gz", packed)
}

func (p *papers) writeFile(name string, data []byte) error {
	return files.Write(filepath.Join(p.Out, filepath.FromSlash(name)), data)
}
