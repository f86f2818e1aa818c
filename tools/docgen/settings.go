package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/provider/ask"
	"dashboard/provider/query"
	"dashboard/provider/sources"
	"dashboard/tools/fielddoc"
)

// fileTypes has the structs that read conf.yaml and client.yaml. The map `parts` has the structs that read one type of output or provider.
var (
	fileTypes = map[string]reflect.Type{
		"conf":   reflect.TypeFor[config.Conf](),
		"client": reflect.TypeFor[config.Client](),
	}
	parts = withProviders(map[string]reflect.Type{
		config.OutputWindow: reflect.TypeFor[config.WindowOutput](),
		config.OutputStream: reflect.TypeFor[config.StreamOutput](),
		config.OutputPost:   reflect.TypeFor[config.PostOutput](),
		config.OutputFile:   reflect.TypeFor[config.FileOutput](),
		config.OutputPanel:  reflect.TypeFor[config.PanelOutput](),
		config.OutputTRMNL:  reflect.TypeFor[config.TRMNLOutput](),
	})
)

// withProviders adds the structs of all types of providers to the map `all`.
func withProviders(all map[string]reflect.Type) map[string]reflect.Type {
	for _, t := range sources.Types() {
		all[providerPart(t.Name)] = reflect.TypeOf(t.Params()).Elem()
	}
	return all
}

// providerPart returns the key in `parts` for a type of provider: its name, or "provider NAME" if a type of output has this name.
func providerPart(name string) string {
	if slices.Contains(config.OutputTypes(), name) {
		return "provider " + name
	}
	return name
}

// A settingsPageWriter makes the tables for the template of the settings page. It records which keys were used, because it is an error if
// the page leaves out a key.
type settingsPageWriter struct{ used map[string]bool }

func settingsText() (string, error) {
	w := &settingsPageWriter{used: map[string]bool{}}
	t, err := template.New("configuration.md").Funcs(template.FuncMap{"keys": w.keys, "part": w.part, "shared": w.shared, "others": w.others}).
		ParseFS(pages, "templates/configuration.md")
	if err != nil {
		return "", err
	}
	text, err := fill(t, nil)
	if err != nil {
		return "", err
	}
	return text, w.complete()
}

// keys() returns the table of a top-level key of a file.
func (w *settingsPageWriter) keys(file, key string) (string, error) {
	fields := fielddoc.Fields(fileTypes[file])
	i := slices.IndexFunc(fields, func(f config.Field) bool { return f.Name == key })
	if i < 0 {
		return "", fmt.Errorf("%s.yaml has no key %s", file, key)
	}
	w.used[file+" "+key] = true
	f := fields[i]
	switch {
	case key == "outputs": // the value is a list. Each type of entry has a separate section
		return "", nil
	case key == "display" && file == "conf":
		return table(reflect.TypeFor[power.Settings]()), nil
	case key == "headless": // only its first key: the others are keys of an output of type file
		f.Fields = f.Fields[:1]
	case len(f.Fields) == 0:
		return tableHead + row(f, ""), nil
	}
	for i := range f.Fields {
		f.Fields[i].Name = key + "." + f.Fields[i].Name
	}
	return tableHead + rows(f.Fields, f.Fields), nil
}

// part() returns the table of a type of output or provider.
func (w *settingsPageWriter) part(name string) (string, error) {
	t, ok := parts[name]
	if !ok {
		return "", fmt.Errorf("there is no type %s", name)
	}
	w.used[name] = true
	var own []config.Field
	left := 0
	all := fielddoc.Fields(t)
	for _, f := range all {
		_, elsewhere := partsOnce[f.Owner]
		switch {
		case isHTTPKey(f):
			left++
		case !elsewhere:
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return "", nil
	}
	text := tableHead + rows(own, all)
	if left > 0 {
		text = "Also: [HTTP keys](#keys-of-every-http-source).\n\n" + text
	}
	return text, nil
}

// isHTTPKey reports whether a key has the same meaning in all sources that use HTTP.
func isHTTPKey(f config.Field) bool {
	return slices.ContainsFunc(httpKeys(), func(k config.Field) bool { return k.Name == f.Name && k.Doc == f.Doc })
}

func httpKeys() []config.Field { return fielddoc.Fields(reflect.TypeFor[ask.Keys]()) }

// others() returns the sections for the types of providers that the template does not mention.
func (w *settingsPageWriter) others() (string, error) {
	var b strings.Builder
	for _, t := range sources.Types() {
		if w.used[providerPart(t.Name)] {
			continue
		}
		table, err := w.part(providerPart(t.Name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n%s", t.Name, t.Doc, table)
	}
	return b.String(), nil
}

// sharedTypes lists structs with a table to which several parts of the page refer.
var sharedTypes = map[string]reflect.Type{
	"http": reflect.TypeFor[ask.Keys](), "auth": reflect.TypeFor[query.Auth](), "outputs": reflect.TypeFor[outputKeys](),
}

// shared() returns a table that appears only once on the page.
func (w *settingsPageWriter) shared(name string) (string, error) {
	t, ok := sharedTypes[name]
	if !ok {
		return "", fmt.Errorf("there is no shared table %s", name)
	}
	return table(t), nil
}

// outputKeys contains the keys that several types of outputs have.
type outputKeys struct {
	config.Shows
	config.ImageOptions
}

// complete() returns an error if the page leaves out a key or a type.
func (w *settingsPageWriter) complete() error {
	for file, t := range fileTypes {
		for _, f := range fielddoc.Fields(t) {
			if !w.used[file+" "+f.Name] {
				return fmt.Errorf("templates/configuration.md says nothing of %s.yaml's %s", file, f.Name)
			}
		}
	}
	for name := range parts {
		if !w.used[name] {
			return fmt.Errorf("templates/configuration.md says nothing of type %s", name)
		}
	}
	return nil
}
