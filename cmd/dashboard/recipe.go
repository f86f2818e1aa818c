package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"path/filepath"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/folder"
	"dashboard/wall/scene"
	"dashboard/wall/trial"
)

// runRecipe runs the command recipe.
func runRecipe(ctx context.Context, o *options, stdout io.Writer) error {
	home, err := filepath.Abs(o.configDir)
	if err != nil {
		return err
	}
	l := scene.Library(folder.Dir(home), version)
	switch o.Verb {
	case "show":
		return showRecipe(l, o.Name, stdout)
	case "test":
		return testRecipes(ctx, o, l, stdout)
	case "add", "update":
		return takeRecipe(ctx, o, home, stdout)
	case "remove":
		return removeRecipe(o, home, stdout)
	case "new":
		return newRecipe(ctx, o, home, stdout)
	case "import":
		return importRecipes(o.Name, home, stdout)
	}
	return listRecipes(l, stdout)
}

// listRecipes prints a line for each recipe.
func listRecipes(l *recipe.Library, stdout io.Writer) error {
	report := &config.Report{}
	for _, r := range l.All(report) {
		from := "this wall"
		if r.BuiltIn {
			from = "the program"
		}
		fmt.Fprintf(stdout, "%-28s %-10s %-12s %s\n", r.Name, r.Category, from, r.Title)
	}
	return report.Err()
}

// find returns the recipe with the given name. If there is none, it returns an error.
func find(l *recipe.Library, name string) (*recipe.Recipe, error) {
	report := &config.Report{}
	r := l.Find(name, nil, report)
	if r == nil {
		return nil, errors.New(strings.TrimPrefix(report.Err().Error(), ": "))
	}
	return r, nil
}

// showRecipe prints a description of a recipe for users.
func showRecipe(l *recipe.Library, name string, stdout io.Writer) error {
	r, err := find(l, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s %s: %s\n%s\n\n", r.Name, r.Version, r.Title, r.About)
	tried := "no: only with recorded answers"
	if r.Tried {
		tried = "yes"
	} else if len(r.Hosts) == 0 {
		tried = "not needed: it sends no request"
	}
	for _, e := range [][2]string{
		{"hosts", strings.Join(r.Hosts, ", ")}, {"actions", strings.Join(r.Actions(), ", ")}, {"license", r.License}, {"author", r.Author},
		{"documentation", r.API}, {"tried against the service", tried},
	} {
		if e[1] != "" {
			fmt.Fprintf(stdout, "%s: %s\n", e[0], e[1])
		}
	}
	fmt.Fprintf(stdout, "\n- widget: use\n  recipe: %s\n", r.Name)
	for _, p := range r.Parameters {
		fmt.Fprintf(stdout, "  %s: %s\n", p.Name, parameterLine(&p))
	}
	return nil
}

// parameterLine returns a line that describes a parameter, with its possible values and its meaning.
func parameterLine(p *recipe.Parameter) string {
	v := p.Example
	if !p.Required() {
		v = p.Default.Flow(60)
	}
	need := ""
	if p.Required() {
		need = ", required"
	}
	return fmt.Sprintf("%s    # %s%s. %s", v, p.Shape(), need, p.Help)
}

// testRecipes runs a recipe with its recorded answers. If the user names no recipe, it runs all recipes in the wall's folder.
func testRecipes(ctx context.Context, o *options, l *recipe.Library, stdout io.Writer) error {
	names := []string{o.Name}
	if o.Name == "" {
		l.BuiltIn = nil
		if names = l.Names(); len(names) == 0 {
			return fmt.Errorf("there are no recipes in %s", recipe.Dir)
		}
	}
	var failed error
	for _, name := range names {
		r, err := find(l, name)
		if err != nil {
			return err
		}
		result, err := trial.Run(ctx, r, version)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d widgets, %d programs, %d bytes of answers, hosts %s, %d ms\n", name, result.Cost.Widgets,
			result.Cost.Programs, result.Answered, strings.Join(result.Asked, " "), result.Took.Milliseconds())
		fmt.Fprintln(stdout, result.Text)
		for _, p := range result.Problems {
			fmt.Fprintln(stdout, p)
			failed = errors.New("the recipe has problems")
		}
		if o.Sheet != "" {
			if err := writePNG(o.Sheet, sheetOf(result.Pictures)); err != nil {
				return err
			}
		}
	}
	return failed
}

// sheetOf returns one picture that contains all given pictures. The pictures by day are above the pictures by night.
func sheetOf(all []trial.Picture) *image.RGBA {
	var size image.Point
	for i, p := range all {
		if i%len(trial.Modes) == 0 {
			size.X += p.Size.X
		}
		size.Y = max(size.Y, len(trial.Modes)*p.Size.Y)
	}
	sheet, x := image.NewRGBA(image.Rectangle{Max: size}), 0
	for i, p := range all {
		y := i % len(trial.Modes) * size.Y / len(trial.Modes)
		draw.Draw(sheet, image.Rectangle{Max: p.Size}.Add(image.Pt(x, y)), p.Image, image.Point{}, draw.Src)
		if i%len(trial.Modes) == len(trial.Modes)-1 {
			x += p.Size.X
		}
	}
	return sheet
}
