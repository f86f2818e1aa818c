package draft

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/server"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
	"dashboard/wall/trial"
	"dashboard/widgets"
)

const (
	// galleryWidth and galleryHeight are the size of a gallery picture in px. The pictures are sharp on a phone that has two px per CSS
	// pixel and shows them in two columns.
	galleryWidth, galleryHeight = 480, 320
	// recipeID is the prefix of the gallery ids of recipes.
	recipeID = "recipe-"
)

// galleryMoment is the time that gallery pictures show.
var galleryMoment = time.Date(2026, 5, 14, 10, 8, 0, 0, time.UTC)

// categories lists the categories of the gallery with their kinds of widgets.
var categories = []struct {
	name  string
	kinds []string
}{
	{"Time", []string{"clock", "dateclock", "countdown", "timer", "moon", "sunpath"}},
	{"Weather", []string{"weather", "airquality"}},
	{"Calendar", []string{"agenda", "month", "week", "nextevent"}},
	{"Values", []string{"card", "gauge", "chart", "progress", "heatmap", "list", "table", "pill"}},
	{"Text and pictures", []string{"text", "markdown", "icon", "image", "photos", "camera", "qr", "ticker"}},
	{"Arrangement", []string{"layout", "row", "column", "grid", "stack", "pages", "flip", "space"}},
}

// categoryOf returns the category of a kind of widget.
func categoryOf(kind string) string {
	for _, c := range categories {
		if slices.Contains(c.kinds, kind) {
			return c.name
		}
	}
	return "Other"
}

// gallery answers GET /edit/gallery with every kind of widget and every valid recipe, each with an example.
func (d *Editor) gallery(context.Context, server.EditCall) (server.EditAnswer, error) {
	names := []string{}
	for _, c := range categories {
		names = append(names, c.name)
	}
	items := []map[string]any{}
	for _, k := range widgets.Kinds() {
		text := examples()[k.Name]
		if text == "" || !k.Modern {
			continue // leave out classic widgets, which new walls do not use
		}
		items = append(items, map[string]any{
			"id": k.Name, "kind": k.Name, "title": strings.ToUpper(k.Name[:1]) + k.Name[1:], "text": k.Doc, "category": categoryOf(k.Name),
			"required": requiredOf(reflect.TypeOf(k.Params())), "yaml": text, "picture": "/edit/gallery/" + k.Name + ".png",
		})
	}
	for _, r := range d.recipes().All(&config.Report{}) { // without the recipes that have an error
		items = append(items, map[string]any{
			"id": recipeID + r.Name, "kind": "use", "title": r.Title, "text": r.About, "category": "Recipes", "required": parametersOf(r),
			"yaml": useOf(r), "picture": "/edit/gallery/" + recipeID + r.Name + ".png", "hosts": r.Hosts,
		})
	}
	return ok(map[string]any{"categories": append(names, "Other", "Recipes"), "items": items})
}

// requiredOf lists the required keys of a kind of widget.
func requiredOf(t reflect.Type) []map[string]any {
	list := []map[string]any{}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, f := range config.Fields(t) {
		if f.Required {
			list = append(list, map[string]any{"key": f.Name, "type": f.Type, "help": f.Unit})
		}
	}
	return list
}

// recipes() returns the recipes of the wall's folder and of the program. Every wall can use them.
func (d *Editor) recipes() *recipe.Library { return scene.Library(d.Folder().Open(), d.build.Version) }

// parametersOf describes the required parameters of a recipe.
func parametersOf(r *recipe.Recipe) []map[string]any {
	list := []map[string]any{}
	for _, p := range r.Parameters {
		if p.Default == nil {
			list = append(list, map[string]any{"key": p.Name, "type": p.Type, "help": p.Help, "example": p.Example})
		}
	}
	return list
}

// useOf returns the YAML of a widget that uses a recipe. Each required parameter has its example as value.
func useOf(r *recipe.Recipe) string {
	var b strings.Builder
	fmt.Fprintf(&b, "widget: use\nrecipe: %s\n", r.Name)
	for _, p := range r.Parameters {
		if p.Default == nil {
			b.WriteString(p.Name + ": " + exampleText(p) + "\n")
		}
	}
	return b.String()
}

var (
	providerName = regexp.MustCompile(`(?m)\bprovider: *([A-Za-z_]\w*)`)
	programName  = regexp.MustCompile(`!data [^\n]*?\.([A-Za-z_]\w*)`)
)

// galleryPicture answers GET /edit/gallery/ID.png. It draws the example of a widget with sample values at the time galleryMoment, or a
// recipe with its recorded answers.
func (d *Editor) galleryPicture(ctx context.Context, c server.EditCall) (server.EditAnswer, error) {
	theme := string(sun.Night)
	if c.Query.Get("theme") == string(sun.Day) {
		theme = string(sun.Day)
	}
	if name, is := strings.CutPrefix(c.ID, recipeID); is {
		return d.recipePicture(ctx, name, sun.Mode(theme))
	}
	text := examples()[c.ID]
	if text == "" {
		return server.EditAnswer{}, fail(404, "there is no example '%s'", c.ID)
	}
	t := d.example(c.ID, text)
	shot := Shot{Theme: theme, Width: galleryWidth, Height: galleryHeight, Sample: true}
	drawn, g, report := t.paint(shot)
	if g == nil {
		return server.EditAnswer{}, fail(422, "%s", firstError(report))
	}
	png, err := encode(drawn, "")
	return server.EditAnswer{Body: png, Type: "image/png"}, err
}

// recipePicture draws a recipe with its recorded answers.
func (d *Editor) recipePicture(ctx context.Context, name string, mode sun.Mode) (server.EditAnswer, error) {
	report := &config.Report{}
	r := d.recipes().Find(name, nil, report)
	if r == nil {
		return server.EditAnswer{}, fail(404, "%s", firstError(report))
	}
	result, err := trial.Run(ctx, r, d.build.Version)
	if err != nil {
		return server.EditAnswer{}, fail(422, "%v", err)
	}
	for _, p := range result.Pictures {
		if p.Size.X > p.Size.Y && p.Size.X > galleryWidth && p.Mode == mode {
			png, err := encode(drawn{frame: p.Image, size: p.Size}, "")
			return server.EditAnswer{Body: png, Type: "image/png"}, err
		}
	}
	return server.EditAnswer{}, fail(404, "there is no picture of the recipe '%s'", name)
}

// example returns a draft of a wall that shows only one example. `kind` is the kind of widget, and `text` is its YAML. The wall has the
// providers that the example needs.
func (d *Editor) example(kind, text string) *Draft {
	names := map[string]string{}
	for _, m := range append(providerName.FindAllStringSubmatch(text, -1), programName.FindAllStringSubmatch(text, -1)...) {
		names[m[1]] = "push"
		switch categoryOf(kind) {
		case "Calendar":
			names[m[1]] = "calendar, calendars: [{name: Sample, path: sample.ics}]"
		case "Weather":
			names[m[1]] = "weather"
		}
	}
	if len(names) == 0 && kind != "airquality" {
		switch categoryOf(kind) {
		case "Calendar":
			names["family"] = "calendar, calendars: [{name: Sample, path: sample.ics}]"
		case "Weather":
			names["weather"] = "weather"
		}
	}
	var providers strings.Builder
	providers.WriteString("providers:\n")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name != "now" && name != "item" && name != "sun" {
			fmt.Fprintf(&providers, "  %s: {type: %s}\n", name, names[name])
		}
	}
	if !strings.Contains(providers.String(), "{") {
		providers.Reset()
	}
	conf := "locale: en-GB\ntimezone: UTC\nlocation: {latitude: 51.48, longitude: 0}\ntheme: calm\noutputs: [{type: stream}]\n"
	t := &Draft{editor: d, View: config.MainView, nodes: map[string]nodeKey{}, files: map[string]*file{}, frozen: galleryMoment}
	for name, body := range map[string]string{
		config.ConfName: conf, config.ProvidersName: providers.String(),
		"widgets.yaml": "widgets:\n  - " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n",
	} {
		t.files[name] = newFile(name, []byte(body), body != "")
	}
	t.only = "widgets.yaml"
	return t
}

// exampleText returns the example of a parameter as a YAML value.
func exampleText(p recipe.Parameter) string {
	if p.Type == "text" || p.Example == "" || strings.ContainsAny(p.Example[:1], "&*!|>%@`#") {
		return quotedWord(p.Example)
	}
	return p.Example
}
