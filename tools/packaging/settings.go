package main

import (
	"fmt"
	"reflect"
	"strings"

	"dashboard/config"
	types "dashboard/provider/sources"
	"dashboard/tools/fielddoc"
	"dashboard/widgets"
)

// A page is a manual page in section 5. The page lists the keys of a configuration file. The keys come from the structs that read the file.
type page struct {
	name, brief, about, seeAlso string
	parts                       []part
}

// A part is one table of keys.
type part struct {
	title, about string
	params       any // pointer to the struct that reads the keys
}

// settingsPages returns the manual pages of the configuration files, by their file names.
func settingsPages() (map[string]string, error) {
	pages := map[string]string{}
	for _, p := range []page{confPage(), providersPage(), widgetsPage(), clientPage()} {
		if len(p.parts) == 0 {
			return nil, fmt.Errorf("%s has nothing to tell", p.name)
		}
		pages[p.name+".5"] = p.man()
	}
	return pages, nil
}

func confPage() page {
	return page{
		name: "dashboard-conf", brief: "general settings of the dashboard, conf.yaml",
		about: "The file says what is rendered, where it goes, and what the HTTP server answers. Paths in it are relative to its " +
			"folder. Keys inside mappings are written with dots here: server.port is the key port of the mapping server.",
		seeAlso: "dashboard(1), dashboard-widgets(5), dashboard-providers(5)",
		parts: []part{
			{"KEYS", "", &config.Conf{}},
			{"OUTPUT WINDOW", "An entry of outputs of type window or framebuffer: a Linux framebuffer.", &config.WindowOutput{}},
			{"OUTPUT STREAM", "An entry of outputs of type stream: frames for browsers and remote screens.", &config.StreamOutput{}},
			{"OUTPUT POST", "An entry of outputs of type post: uploads.", &config.PostOutput{}},
			{"OUTPUT FILE", "An entry of outputs of type file: pictures in a folder.", &config.FileOutput{}},
			{"OUTPUT PANEL", "An entry of outputs of type panel: e-paper at the pins of the board.", &config.PanelOutput{}},
			{"OUTPUT TRMNL", "An entry of outputs of type trmnl: e-readers.", &config.TRMNLOutput{}},
		},
	}
}

func providersPage() page {
	p := page{
		name: "dashboard-providers", brief: "where the values of the dashboard come from, providers.yaml",
		about:   "The file is a mapping, providers, of names to definitions. Each has a type, rest without one, and the keys of its type.",
		seeAlso: "dashboard(1), dashboard-conf(5), dashboard-widgets(5)",
	}
	for _, t := range types.Types() {
		p.parts = append(p.parts, part{"TYPE " + strings.ToUpper(t.Name), t.Doc, t.Params()})
	}
	return p
}

func widgetsPage() page {
	p := page{
		name: "dashboard-widgets", brief: "widgets of the dashboard, widgets.yaml",
		about: "The file is a tree: the keys of screen, and under widgets the widgets in it. Each widget has the key widget, which " +
			"names its kind, the keys of its kind and, where it may have some, children.",
		seeAlso: "dashboard(1), dashboard-conf(5), dashboard-providers(5)",
	}
	for _, k := range widgets.Kinds() {
		p.parts = append(p.parts, part{strings.ToUpper(k.Name), k.Doc + " Children: " + k.Children() + ".", k.Params()})
	}
	return p
}

func clientPage() page {
	return page{
		name: "dashboard-client-conf", brief: "settings of a remote screen, client.yaml",
		about: "The file says where frames come from and how they are shown. Keys inside mappings are written with dots here: " +
			"server.url is the key url of the mapping server.",
		seeAlso: "dashboard-client(1)",
		parts: []part{
			{"KEYS", "", &config.Client{}},
			{"OUTPUT WINDOW", "The one entry of outputs, of type window or framebuffer.", &config.WindowOutput{}},
		},
	}
}

// man returns the page in the markup of man(7).
func (p page) man() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 5\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n%s\n",
		strings.ToUpper(roff(p.name)), roff(p.name), roff(p.brief), roff(p.about))
	for _, part := range p.parts {
		fmt.Fprintf(&b, ".SH %s\n", roff(part.title))
		if part.about != "" {
			b.WriteString(roff(part.about) + "\n")
		}
		manKeys(&b, fielddoc.Fields(reflect.TypeOf(part.params)), "")
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", roff(p.seeAlso))
	return b.String()
}

func manKeys(b *strings.Builder, fields []config.Field, prefix string) {
	for _, f := range fields {
		fmt.Fprintf(b, ".TP\n.BR %s \" (%s)\"\n%s\n", roff(prefix+f.Name), roff(kind(f)), roff(meaning(f)))
		manKeys(b, f.Fields, prefix+f.Name+f.Inside())
	}
}

// kind() returns the type of a key, with its unit.
func kind(f config.Field) string {
	if f.Unit == "" {
		return f.Type
	}
	return f.Type + ", " + f.Unit
}

// meaning returns the description of a key, with its allowed values.
func meaning(f config.Field) string {
	text := f.Doc
	if len(f.Enum) > 0 {
		text += " One of " + strings.Join(f.Enum, ", ") + "."
	}
	switch {
	case f.Min != "" && f.Max != "":
		text += " From " + f.Min + " to " + f.Max + "."
	case f.Min != "":
		text += " At least " + f.Min + "."
	case f.Max != "":
		text += " At most " + f.Max + "."
	}
	switch {
	case f.Required:
		text += " Required."
	case f.HasDef && f.Default != "":
		text += " Default " + f.Default + "."
	}
	return strings.TrimSpace(text)
}

// roff escapes a text for man(7). After that, no part of the text is a command, and dashes stay dashes.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
