// Package recipe replaces each use of a recipe on a wall by the recipe's widget. Recipes are widgets that people share with each other.
package recipe

import (
	"io/fs"
	"regexp"

	"dashboard/config"
)

// The files in the folder of a recipe.
const (
	File          = "recipe.yaml"
	ProvidersFile = "providers.yaml"
	WidgetsFile   = "widgets.yaml"
	Answers       = "answers"
)

// Kind is the type of the widget that uses a recipe.
const Kind = "use"

// Dir is the folder in a wall's folder that contains the wall's recipes.
const Dir = "recipes"

// A Recipe is a widget with its providers and its parameters. It is immutable.
type Recipe struct {
	Name       string
	Title      string
	About      string
	Category   string
	Version    string
	Requires   string
	License    string
	Author     string
	API        string // address of the service's documentation
	Tried      bool   // true if the author has used the recipe with the real service
	Recorded   string // time at which the recorded answers were received, or ""
	Hosts      []string
	Parameters []Parameter
	BuiltIn    bool // true if the program contains the recipe

	at        string // path of the recipe's folder, for messages
	files     fs.FS
	node      *config.Node // root of recipe.yaml
	widget    *config.Node
	providers *config.Node // nil if the recipe has no providers
}

// fields contains the keys of recipe.yaml.
type fields struct {
	Name       string       `yaml:"name" required:"true" maxlen:"60"`
	Title      string       `yaml:"title" required:"true" maxlen:"60"`
	About      string       `yaml:"about" required:"true" maxlen:"300"`
	Category   string       `yaml:"category" default:"other" maxlen:"40"`
	Version    string       `yaml:"version" required:"true"`
	Requires   string       `yaml:"requires"`
	License    string       `yaml:"license" required:"true" maxlen:"60"`
	Author     string       `yaml:"author" required:"true" maxlen:"120"`
	API        string       `yaml:"api" maxlen:"300"`
	Tried      bool         `yaml:"tried" default:"false"`
	Recorded   string       `yaml:"recorded"`
	Hosts      []string     `yaml:"hosts" maxlen:"10"`
	Parameters *config.Node `yaml:"parameters"`
}

// nameShape matches the name of a recipe. The recipe's folder has the same name.
var nameShape = regexp.MustCompile(`^[a-z][a-z0-9-]{0,59}$`)

// versionShape matches a version of a recipe or of the program.
var versionShape = regexp.MustCompile(`^\d+(\.\d+){0,2}$`)

// hostShape matches an entry of the key hosts: a host name with an optional port, or a parameter in braces.
var hostShape = regexp.MustCompile(`^(\{[a-z][a-z0-9_]*\}|[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?)$`)

// ValidName reports whether a recipe can have the given name.
func ValidName(name string) bool { return nameShape.MatchString(name) }

// Files returns the files in the recipe's folder.
func (r *Recipe) Files() fs.FS { return sub{r.files, r.at} }

// At returns the path of the recipe's folder, for messages.
func (r *Recipe) At() string { return r.at }

// Widget returns the widget of the recipe, in which the parameters are not replaced.
func (r *Recipe) Widget() *config.Node { return r.widget }

// ProviderNames returns the names of the recipe's providers.
func (r *Recipe) ProviderNames() []string { return r.providers.Keys() }

// read reads the three YAML files of a recipe, and the report contains all errors. If recipe.yaml is invalid, read returns nil.
func read(files fs.FS, at string, builtIn bool, report *config.Report) *Recipe {
	node := load(files, at+"/"+File, report)
	if node == nil {
		return nil
	}
	var f fields
	if !node.Decode(&f, report, nil) {
		return nil
	}
	r := &Recipe{
		Name: f.Name, Title: f.Title, About: f.About, Category: f.Category, Version: f.Version, Requires: f.Requires, License: f.License,
		Author: f.Author, API: f.API, Tried: f.Tried, Recorded: f.Recorded, Hosts: f.Hosts, BuiltIn: builtIn, at: at, files: files, node: node,
	}
	r.check(report)
	r.Parameters = parametersOf(f.Parameters, report)
	r.readParts(report)
	r.rules(report)
	return r
}

// load reads a YAML file of a recipe. The tag !secret is an error in this file.
func load(files fs.FS, path string, report *config.Report) *config.Node {
	if info, err := fs.Stat(files, path); err == nil && info.Size() > maxFile {
		report.Add(config.Diagnostic{File: path, Message: tooLong})
		return nil
	}
	return config.Load(files, path, report, nil)
}

// check checks the form of the values in recipe.yaml.
func (r *Recipe) check(report *config.Report) {
	if !ValidName(r.Name) {
		report.Errorf(r.node.Get("name"), "must be small letters, digits and hyphens, not %s", r.node.Get("name").Shown())
	}
	for key, v := range map[string]string{"version": r.Version, "requires": r.Requires} {
		if v != "" && !versionShape.MatchString(v) {
			report.Errorf(r.node.Get(key), "must be numbers such as 1.2, not %s", r.node.Get(key).Shown())
		}
	}
	for i, h := range r.Hosts {
		if !hostShape.MatchString(h) {
			at := r.node.Get("hosts").Items()[i]
			report.Errorf(at, "must be a host such as api.example.org, or one parameter such as {server}, not %s", at.Shown())
		}
	}
}

// readParts reads the recipe's widget and providers.
func (r *Recipe) readParts(report *config.Report) {
	root := load(r.files, r.at+"/"+WidgetsFile, report)
	var w struct {
		Widgets *config.Node `yaml:"widgets" required:"true"`
	}
	if root == nil || !root.Decode(&w, report, nil) {
		return
	}
	if w.Widgets.Kind() != config.List || w.Widgets.Len() != 1 || w.Widgets.Items()[0].Kind() != config.Map {
		report.Errorf(w.Widgets, "a recipe has exactly one widget, with the others inside")
		return
	}
	r.widget = w.Widgets.Items()[0]
	if _, err := fs.Stat(r.files, r.at+"/"+ProvidersFile); err != nil {
		return
	}
	var p struct {
		Providers *config.Node `yaml:"providers" required:"true"`
	}
	if root = load(r.files, r.at+"/"+ProvidersFile, report); root != nil && root.Decode(&p, report, nil) {
		r.providers = p.Providers
	}
}
