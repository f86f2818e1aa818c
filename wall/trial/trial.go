// Package trial runs a recipe with its recorded answers and draws pictures of it.
package trial

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/folder"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Sizes are the sizes in px in which a recipe is drawn: a small cell, a part of a wall, and an upright part of a wall.
var Sizes = []image.Point{{X: 320, Y: 240}, {X: 640, Y: 400}, {X: 400, Y: 560}}

// Modes are the modes in which a recipe is drawn.
var Modes = []sun.Mode{sun.Day, sun.Night}

// A Picture is a picture of a recipe in one size and mode.
type Picture struct {
	Size  image.Point
	Mode  sun.Mode
	Image *image.RGBA
}

// A Result describes the run of a recipe with its recorded answers.
type Result struct {
	Pictures []Picture
	Text     string // text of the recipe for a screen reader
	Cost     recipe.Cost
	Answered int           // total size of the answers to the recipe's requests, in bytes
	Asked    []string      // hosts of the requests, sorted
	Problems []string      // errors and warnings with their positions
	Took     time.Duration // time for loading and drawing the recipe in all sizes
}

// home is the name of a folder that does not exist. It is the folder of the wall that shows the recipe.
const home = "dashboard-recipe"

// conf is the conf.yaml of the wall that shows the recipe.
const conf = "locale: en-GB\ntimezone: Europe/Berlin\noutputs: [{type: stream}]\ngraphics: {resolution: [640, 400], motion: reduced}\n"

// Run draws a recipe with its recorded answers, in all Sizes and Modes. Parameters have their examples as values, or otherwise their
// defaults. Run returns an error if the files of the recipe are not valid.
func Run(ctx context.Context, r *recipe.Recipe, version string) (*Result, error) {
	files, err := wallOf(r)
	if err != nil {
		return nil, err
	}
	begin, result := time.Now(), &Result{}
	for _, size := range Sizes {
		t := &trial{recipe: r, files: files, version: version, size: size, record: newRecord(r.Files())}
		if err := t.run(ctx, result); err != nil {
			return nil, err
		}
	}
	result.Took = time.Since(begin)
	return result, nil
}

// wallOf returns the files of a wall that shows only the recipe.
func wallOf(r *recipe.Recipe) (*folder.Root, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "theme: calm\nwidgets:\n  - widget: use\n    recipe: %s\n", r.Name)
	for _, p := range r.Parameters {
		switch {
		case p.Example != "":
			fmt.Fprintf(&b, "    %s: %s\n", p.Name, written(&p))
		case p.Required():
			return nil, fmt.Errorf("%s/%s: the parameter '%s' needs an example", r.At(), recipe.File, p.Name)
		}
	}
	contents := map[string][]byte{
		config.ConfName: []byte(conf), "widgets.yaml": []byte(b.String()),
		config.ProvidersName: []byte("providers: {}\n"), config.SecretsName: []byte("{}\n"),
	}
	for _, name := range []string{recipe.File, recipe.WidgetsFile, recipe.ProvidersFile} {
		data, err := fs.ReadFile(r.Files(), name)
		switch {
		case err == nil:
			contents[recipe.Dir+"/"+r.Name+"/"+name] = data
		case name != recipe.ProvidersFile: // providers.yaml may be missing
			return nil, err
		}
	}
	return folder.Dir(filepath.Join(os.TempDir(), home)).Over(contents), nil
}

// written() returns the example of a parameter as a YAML value.
func written(p *recipe.Parameter) string {
	switch p.Type {
	case "text", "secret", "address", "enumeration", "color", "icon":
		return "'" + strings.ReplaceAll(p.Example, "'", "''") + "'"
	}
	return p.Example
}

// A trial is the run of a recipe in one size.
type trial struct {
	recipe  *recipe.Recipe
	files   *folder.Root
	version string
	size    image.Point
	record  *record
}

func (t *trial) run(ctx context.Context, result *Result) error {
	wake := make(chan struct{}, 1)
	b := scene.NewBuilder(scene.Parts{Version: t.version, Log: slog.New(slog.DiscardHandler), Wake: func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}})
	defer b.Providers.Close()
	now, err := moment(t.recipe)
	if err != nil {
		return err
	}
	from := scene.Folder{
		Home: t.files.Path(""), Files: t.files, Widgets: "widgets.yaml", Size: config.Size{Width: t.size.X, Height: t.size.Y}, Strict: true,
		Recorded: &scene.Recorded{Answers: t.record.provider, States: t.record.states()},
		Now:      func() time.Time { return now },
	}
	g, report := b.Load(from, scene.Alone(func() {}))
	if g == nil {
		return errors.New(strings.TrimSpace(report.String()))
	}
	b.Providers.Commit(g.Sources)
	b.Await(ctx, wake)
	g.TellSources(t.files, report, b.Providers.Status(time.Now()))
	for _, d := range report.Diagnostics() {
		result.note(d.String())
	}
	for _, u := range g.Uses {
		result.Cost = u.Cost
	}
	result.Answered, result.Asked = t.record.totals()
	sc := g.Scenes[config.MainView]
	defer func() { result.Text = spoken(sc, now) }()
	for _, mode := range Modes {
		r := sc.Renderer(mode)
		r.Step(now.Add(-time.Second)) // fades begin in this step, so they have ended in the next step
		r.Step(now)
		result.Pictures = append(result.Pictures, Picture{t.size, mode, r.Frame()})
		for _, text := range b.CutTexts(sc.Trees[mode], r) {
			result.note(fmt.Sprintf("%dx%d, %s: %s", t.size.X, t.size.Y, mode, text))
		}
	}
	return nil
}

// spoken() returns the text of a scene for a screen reader.
func spoken(sc *scene.Scene, now time.Time) string {
	var s speech.Speech
	s.Begin(sc.Region.Locale, sc.Region.Zone, now, false)
	kit.SpeakOf(&s, sc.Trees[sun.Day].Root)
	return string(s.AppendText(nil))
}

// note adds a problem to the list, unless the list contains it already.
func (r *Result) note(text string) {
	for _, p := range r.Problems {
		if p == text {
			return
		}
	}
	r.Problems = append(r.Problems, text)
}

// moment returns the time at which the answers were recorded. If recipe.yaml does not contain this time, moment returns the current time.
func moment(r *recipe.Recipe) (time.Time, error) {
	if r.Recorded == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, r.Recorded)
	if err != nil {
		return at, fmt.Errorf("%s/%s: recorded: must be a time such as 2026-03-12T18:00:00+01:00", r.At(), recipe.File)
	}
	return at, nil
}
