package scene

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/sources"
	"dashboard/recipes"
	"dashboard/widgets/kit"
)

// Recorded contains recorded answers. They replace the requests of recipes to hosts and to Home Assistant.
type Recorded struct {
	Answers func(provider string) http.RoundTripper
	States  map[string]any // states of entities
}

// pictures is the provider name under which the answers to the picture requests of widgets are recorded.
const pictures = "picture"

// Library returns the recipes that a wall with these files can use.
func Library(files fs.FS, version string) *recipe.Library {
	return &recipe.Library{Wall: files, BuiltIn: recipes.Files(), Version: version, Common: kit.CommonKeys()}
}

// expand reads the widgets files of all views. It replaces each use of a recipe by the recipe's widget.
func (l *loading) expand() {
	e := recipe.NewExpansion(Library(l.files, l.Version), sources.TypeNames(), l.report)
	l.roots = map[string]*config.Node{}
	for _, name := range l.viewNames() {
		path := l.widgetsFile(name)
		if _, ok := l.roots[path]; !ok {
			l.roots[path] = e.Widgets(config.LoadWidgets(l.files, path, l.report, l.secret))
		}
	}
	l.Uses = e.Uses
}

// widgetsFile returns the widgets file of a view.
func (l *loading) widgetsFile(view string) string {
	return cmp.Or(l.view(view).Widgets, l.from.Widgets)
}

// addRecipes adds the providers of all used recipes.
func (l *loading) addRecipes(deps sources.Deps) {
	l.scopes = map[string]*sources.Scope{}
	for _, u := range l.Uses {
		hosts := fetch.Hosts{Named: u.Named, Given: u.Given}
		scope := &sources.Scope{Names: map[string]string{}, Client: l.only(hosts), Key: fmt.Sprintf("recipe %q", hosts), Entities: u.Entities}
		if r := l.from.Recorded; r != nil {
			scope.Client, scope.States = fetch.NewWith(r.Answers(pictures)).Only(hosts), r.States
		}
		for _, def := range u.Providers {
			scope.Names[def.Name] = u.Global(def.Name)
		}
		l.scopes[u.ID] = scope
		l.addRecipe(u, scope, deps)
	}
}

// addRecipe adds the providers of one use of a recipe. These providers can send requests only to
// the recipe's hosts. They cannot read files and do not receive the location of the wall.
func (l *loading) addRecipe(u *recipe.Use, scope *sources.Scope, deps sources.Deps) {
	deps.Files, deps.Sessions, deps.Broker, deps.Atlas = sources.NoFiles(), &provider.Sessions{}, nil, nil
	deps.Home = nil
	deps.Owner = u.Recipe.Name
	if len(u.Entities) == 0 {
		deps.HomeAssistant = nil
	}
	find, part, names := sources.Scoped(l.Sources, scope)
	m := l.making(scope.Key+" ", find, part)
	for _, def := range u.Providers {
		m.names = append(m.names, def.Name)
	}
	for _, def := range u.Providers {
		deps.Client = scope.Client
		if l.from.Recorded != nil {
			deps.Client = fetch.NewWith(l.from.Recorded.Answers(def.Name)).Only(fetch.Hosts{Named: u.Named, Given: u.Given})
		}
		local := def.Name
		def.Name = scope.Names[local]
		if !l.checkHosts(u, scope.Client, def.Node()) {
			m.addWrong(def)
			continue
		}
		m.add(def, local, deps)
	}
	m.finish(func() []string { return names })
}

// only() returns a client for the given hosts. For the same hosts it always returns the same client, because sources with the same client
// continue across a reload.
func (b *Builder) only(h fetch.Hosts) *fetch.Client {
	key := strings.Join(h.Named, " ") + "\n" + strings.Join(h.Given, " ")
	if b.clients == nil {
		b.clients = map[string]*fetch.Client{}
	}
	c, ok := b.clients[key]
	if !ok {
		c = b.Client.Only(h)
		b.clients[key] = c
	}
	return c
}
