package cookbook

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/extract"
	"dashboard/internal/folder"
)

// A Draft is a recipe that FromWall makes from a widget of a wall.
type Draft struct {
	Name      string
	Providers []*config.Node // definitions of the providers that the widget reads. They contain secrets
	Names     []string       // names of the providers, in the order of Providers

	lines  map[string][]string // lines of each file, by the file's name
	widget *config.Node
	hosts  []string
	params map[string]string // lines for recipe.yaml, by the parameter's name

	servers map[string]string // names of the parameters for servers in the home network, by the server's address
}

// FromWall makes the draft of a recipe from one widget of a wall and from the providers that the widget reads. `widget` is the name of
// the widget, and `name` is the name of the new recipe.
func FromWall(files *folder.Root, name, widget string, secrets config.SecretSource) (*Draft, error) {
	if !recipe.ValidName(name) {
		return nil, fmt.Errorf("%q: a recipe's name is small letters, digits and hyphens", name)
	}
	d := &Draft{Name: name, lines: map[string][]string{}, params: map[string]string{}, servers: map[string]string{}}
	report := &config.Report{}
	root := d.load(files, "widgets.yaml", report, secrets)
	providers := d.load(files, config.ProvidersName, report, secrets).Get("providers")
	if err := report.Err(); err != nil {
		return nil, err
	}
	if d.widget = named(root, widget); d.widget == nil {
		return nil, fmt.Errorf("there is no widget with name: %s in widgets.yaml", widget)
	}
	d.collect(d.widget, providers)
	return d, nil
}

func (d *Draft) load(files *folder.Root, path string, report *config.Report, secrets config.SecretSource) *config.Node {
	data, err := folder.Read(files, path, maxArchive)
	if err != nil {
		if path != config.ProvidersName {
			report.Add(config.Diagnostic{File: path, Message: err.Error()})
		}
		return nil
	}
	d.lines[path] = strings.Split(string(data), "\n")
	return config.Parse(path, data, report, secrets)
}

// named() finds the widget with the given name below n. If there is none, it returns nil.
func named(n *config.Node, name string) *config.Node {
	if n.Kind() == config.Map && n.Has("widget") && n.Get("name").Text() == name {
		return n
	}
	for _, item := range n.Items() {
		if w := named(item, name); w != nil {
			return w
		}
	}
	for _, p := range n.Pairs() {
		if w := named(p.Value, name); w != nil {
			return w
		}
	}
	return nil
}

// collect adds the providers that n reads, and the providers that these providers read.
func (d *Draft) collect(n *config.Node, providers *config.Node) {
	var names []string
	if n.IsProgram() {
		if p, err := extract.Compile(n.Text()); err == nil {
			names, _ = p.Reads()
		}
	}
	for _, p := range n.Pairs() {
		if p.Key == "provider" {
			names = append(names, p.Value.Text())
		}
		d.collect(p.Value, providers)
	}
	for _, item := range n.Items() {
		d.collect(item, providers)
	}
	for _, name := range names {
		if def := providers.Get(name); def != nil && !slices.Contains(d.Names, name) {
			d.Names, d.Providers = append(d.Names, name), append(d.Providers, def)
			d.collect(def, providers)
		}
	}
}

// Bundle returns the finished recipe. `answers` contains the recorded answers by file name. A file name consists of the name of a
// provider and an extension.
func (d *Draft) Bundle(answers map[string][]byte) (*Bundle, error) {
	widget, err := d.text(d.widget)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"widgets.yaml": []byte("widgets:\n  - " + indent(d.open(widget), "    ") + "\n")}
	var from strings.Builder
	for i, def := range d.Providers {
		d.host(def)
		text, err := d.text(def)
		if err != nil {
			return nil, err
		}
		if def.Kind() == config.Map && strings.HasPrefix(text, "{") {
			fmt.Fprintf(&from, "  %s: %s\n", d.Names[i], d.open(text))
			continue
		}
		fmt.Fprintf(&from, "  %s:\n    %s\n", d.Names[i], indent(d.open(text), "    "))
	}
	if from.Len() > 0 {
		files["providers.yaml"] = []byte("providers:\n" + from.String())
	}
	for name, data := range answers {
		files[recipe.Answers+"/"+name] = data
	}
	files["recipe.yaml"] = []byte(d.about())
	return bundle(files)
}

// text returns the text of a value in its file. The first line has no indent, and the other lines are indented relative to it.
func (d *Draft) text(n *config.Node) (string, error) {
	file, first, last := n.Lines()
	lines := d.lines[file]
	if first < 1 || last > len(lines) {
		return "", errors.New(n.Pos() + ": the lines cannot be read")
	}
	cut := slices.Clone(lines[first-1 : last])
	cut[0] = string([]rune(cut[0])[n.Column()-1:])
	margin := strings.Repeat(" ", n.Column()-1)
	for i := 1; i < len(cut); i++ {
		cut[i] = strings.TrimPrefix(cut[i], margin)
	}
	text := strings.Join(cut, "\n")
	if strings.HasPrefix(text, "{") {
		return flow(text)
	}
	return text, nil
}

// flow returns the mapping in braces at the start of a text.
func flow(text string) (string, error) {
	depth, quote := 0, rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '{':
			depth++
		case r == '}':
			if depth--; depth == 0 {
				return text[:i+1], nil
			}
		}
	}
	return "", errors.New("a mapping in braces has no end")
}

func indent(text, margin string) string { return strings.ReplaceAll(text, "\n", "\n"+margin) }

var (
	writtenSecret = regexp.MustCompile(`!secret +([A-Za-z0-9_.-]+)`)
	writtenEntity = regexp.MustCompile(`(entity: *)["']?([a-z0-9_]+\.[a-z0-9_]+)["']?`)
)

// open() replaces secrets, servers in the home network, and entities in a text with parameters.
func (d *Draft) open(text string) string {
	text = writtenSecret.ReplaceAllStringFunc(text, func(s string) string {
		name := slug(writtenSecret.FindStringSubmatch(s)[1])
		d.params[name] = fmt.Sprintf("  %s: {type: secret, help: Secret of the service., example: put-the-value-here}\n", name)
		return "!param " + name
	})
	for at, name := range d.servers {
		inside := regexp.MustCompile(`["']?` + regexp.QuoteMeta(at) + `([^\s"',}]*)["']?`)
		text = inside.ReplaceAllString(text, `"{`+name+`}$1"`)
	}
	return writtenEntity.ReplaceAllStringFunc(text, func(s string) string {
		m := writtenEntity.FindStringSubmatch(s)
		_, id, _ := strings.Cut(m[2], ".")
		name := slug(id)
		d.params[name] = fmt.Sprintf("  %s: {type: entity, help: Entity of Home Assistant., example: %s}\n", name, m[2])
		return m[1] + "!param " + name
	})
}

// host records the host of each URL in a provider's definition. A URL is the value of a key `url` or `caldav`, unless this value is a
// secret.
func (d *Draft) host(n *config.Node) {
	for _, p := range n.Pairs() {
		u, err := url.Parse(p.Value.Text())
		if (p.Key == "url" || p.Key == "caldav") && err == nil && u.Host != "" && !p.Value.Secret() {
			d.addHost(u)
		}
		d.host(p.Value)
	}
	for _, item := range n.Items() {
		d.host(item)
	}
}

// addHost records a host. A host in the home network becomes a parameter, because other users do not have this host.
func (d *Draft) addHost(u *url.URL) {
	host := u.Host
	if private(host) {
		at := u.Scheme + "://" + host
		if d.servers[at] == "" {
			name := fmt.Sprintf("server%d", len(d.servers)+1)
			if d.servers[at] = name; len(d.servers) == 1 {
				d.servers[at] = "server"
			}
		}
		name := d.servers[at]
		d.params[name] = fmt.Sprintf("  %s: {type: address, help: Address of the server., example: %s}\n", name, quoted(at))
		host = fmt.Sprintf("%q", "{"+name+"}")
	}
	if !slices.Contains(d.hosts, host) {
		d.hosts = append(d.hosts, host)
	}
}

// about() returns the content of recipe.yaml.
func (d *Draft) about() string {
	var names []string
	for name := range d.params {
		names = append(names, name)
	}
	slices.Sort(names)
	const head = "name: %s\ntitle: %s\nabout: Write here what it shows.\ncategory: own\nversion: \"1.0\"\nlicense: CC0-1.0\n" +
		"author: Your name\ntried: true\nhosts: [%s]\n"
	text := fmt.Sprintf(head, d.Name, quoted(strings.ReplaceAll(d.Name, "-", " ")), strings.Join(d.hosts, ", "))
	if len(names) > 0 {
		text += "parameters:\n"
	}
	for _, name := range names {
		text += d.params[name]
	}
	return text
}
