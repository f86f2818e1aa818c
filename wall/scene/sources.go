package scene

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/provider/sources"
)

// addProviders adds the providers of conf.yaml, of the used recipes and of providers.yaml. A provider that reads other providers is added
// after them. If a definition has an error, only this provider fails, with the error as its reason. However, if the shown wall has a
// valid version of the provider, the new files are rejected.
func (l *loading) addProviders() {
	deps := sources.Deps{
		Client: l.Client, Sessions: l.Providers.Sessions(), Location: l.Region.Zone, Home: l.Region.Where, Atlas: l.Atlas, Files: l.files,
		Words: l.Region.Locale, Agent: UserAgent(l.Version), Sun: l.Sky.At, Now: l.from.Now, Grants: l.Grants, Queues: l.Queues,
	}
	l.Sky.move(l.Region.Sun())
	if l.Conf != nil {
		deps.HomeAssistant = l.Conf.HomeAssistant
	}
	deps.Broker = l.broker()
	l.Generation.Broker = deps.Broker
	l.addDevice(deps.Broker)
	l.addHome(deps)
	list := config.LoadEveryProvider(l.files, config.ProvidersName, l.report, l.secret, sources.TypeNames())
	l.addRecipes(deps)
	m := l.making("", l.Sources.Named, l.part)
	for _, def := range list {
		m.names = append(m.names, def.Name)
	}
	for _, def := range list {
		m.add(def, def.Name, deps)
	}
	m.finish(l.Sources.Names)
}

// addWrong checks a definition for errors. If there is an error, it adds a provider that always fails, with the error as the reason.
func (l *loading) addWrong(def *config.Provider) {
	if !l.Serving.Tolerates(def.Name) && mistaken(l.report, def.Node()) {
		return // the shown wall has a valid version of this provider, so reject the new files
	}
	err := l.report.TolerateIn(def.Node())
	if err == nil || live.Reserved(def.Name) {
		return
	}
	l.Wrong[def.Name] = true
	if _, there := l.Sources.Named(def.Name); !there {
		put(l.Sources, def, fmt.Sprintf("wrong %q %q", def.Name, err), wrongProvider{def.Type, fmt.Errorf("%s: %w", def.Pos(), err)}, nil)
	}
}

// mistaken() reports whether the report has an error in a node or below it.
func mistaken(r *config.Report, n *config.Node) bool {
	return slices.ContainsFunc(r.Errors(), func(d config.Diagnostic) bool {
		return d.Path == n.Path() || strings.HasPrefix(d.Path, n.Path()+".")
	})
}

// A wrongProvider replaces a provider whose definition has an error. It always fails.
type wrongProvider struct {
	kind string
	err  error
}

// Kind implements provider.Kinder.
func (p wrongProvider) Kind() string { return p.kind }

// Run implements provider.Provider.
func (p wrongProvider) Run(ctx context.Context, cell *provider.Cell) error {
	cell.Fail(p.err, time.Now())
	<-ctx.Done()
	return nil
}

// part returns the cell of an entry in the value of a provider.
func (l *loading) part(name, entry string, at provider.Place) (*provider.Cell, bool, error) {
	return provider.Part(l.Sources, name, entry, at)
}

// addHome adds the provider for the key `homeassistant` of conf.yaml. If providers.yaml defines a
// provider with this name, that provider replaces it.
func (l *loading) addHome(deps sources.Deps) {
	if deps.HomeAssistant == nil {
		return
	}
	t, _ := sources.TypeNamed(HomeProvider)
	key, p, err := t.Make(deps, t.Params())
	at := l.Conf.At(HomeProvider)
	switch {
	case err != nil && !l.sound:
		return // this missing key was reported before
	case err != nil:
		name, text, _ := strings.Cut(err.Error(), ": ")
		l.report.Errorf(at.At(name), "%s", text)
		return
	}
	l.Sources.Place(key, provider.Place{At: at.Pos()})
	l.Sources.Add(key, p)
	l.Sources.Name(HomeProvider, key)
}

// HomeProvider is the name and the type of the provider for the key homeassistant of conf.yaml.
const HomeProvider = "homeassistant"

// put adds a provider to the set. If err is not nil, it reports err as an error of the definition instead. If a file of the provider is
// missing, put only warns, because the file may be created later.
func put(set *provider.Set, def *config.Provider, key string, p provider.Provider, err error) {
	if err != nil {
		mistake(def, err)
		return
	}
	set.Place(key, provider.Place{At: def.Pos()})
	set.Add(key, p)
	set.Name(def.Name, key)
	if m, ok := p.(interface{ Missing() []string }); ok {
		for _, name := range m.Missing() {
			def.Warnf("", "%s is not there", name)
		}
	}
}

// mistake reports an error of a definition. If the error begins with a key or with a path such as calendars[0].url, mistake reports the
// error at this key. If a value of the definition could not be read, for example a missing secret, mistake reports nothing, because err
// is only a consequence.
func mistake(def *config.Provider, err error) {
	if !def.Node().Whole() {
		return
	}
	key, text, ok := strings.Cut(err.Error(), ": ")
	name, _, _ := strings.Cut(key, "[")
	switch {
	case !ok || !def.Node().Has(name):
		key, text = "", err.Error()
	case name != key:
		key = def.Node().Path() + "." + key
	}
	def.Errorf(key, "%s", text)
}
