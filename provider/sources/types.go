package sources

import (
	"fmt"
	"io/fs"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/internal/oauth"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/derived"
	"dashboard/provider/feed"
	"dashboard/provider/file"
	"dashboard/provider/geocode"
	"dashboard/provider/gtfs"
	"dashboard/provider/icloud"
	"dashboard/provider/immich"
	"dashboard/provider/mpd"
	"dashboard/provider/mqtt"
	"dashboard/provider/prometheus"
	"dashboard/provider/push"
	"dashboard/provider/rest"
	"dashboard/provider/stream"
	"dashboard/provider/sun"
	"dashboard/provider/system"
	"dashboard/provider/todo"
	"dashboard/provider/todoist"
	"dashboard/provider/webdav"
)

// Deps are the dependencies of all types of providers.
type Deps struct {
	Client        *fetch.Client
	Sessions      *provider.Sessions                                 // connections that providers share
	Location      *time.Location                                     // time zone of the wall's clock; nil means time.Local
	Name          string                                             // name of the definition in providers.yaml
	Home          *config.Location                                   // location of the wall; nil if unknown
	Sun           func(day time.Time) (rise, set time.Time, ok bool) // sunrise and sunset at the wall's location; can be called at any time
	Atlas         *geocode.Atlas                                     // finds places by their names
	HomeAssistant *config.HomeAssistant                              // Home Assistant of conf.yaml; nil if conf.yaml has none
	Broker        *mqtt.Broker                                       // broker of conf.yaml; nil if conf.yaml has none
	Files         fs.FS                                              // configuration folder; nil is the working directory
	Words         *locale.Locale                                     // language of texts in values; nil means English
	Agent         string                                             // name of the program, for the headers of requests
	Grants        *oauth.Grants                                      // permissions of OAuth 2; nil if there are none
	Owner         string                                             // recipe of the definition; "" for the wall itself
	Now           func() time.Time                                   // returns the time for calendars; nil means the system clock
	Queues        *todo.Queues                                       // queues for changes of tasks; nil if changes are not allowed
	Values        map[string]*provider.Cell                          // values of other providers, which requests of type rest can contain
}

func (d *Deps) asking() ask.Deps {
	of := ask.Deps{Client: d.Client, Files: d.Files, Location: d.Location, Name: d.Name, Owner: d.Owner, Grants: d.Grants, Queues: d.Queues, Values: d.Values}
	if d.Home != nil {
		of.Sun = d.Sun
	}
	return of
}

// A Type is a type of provider in providers.yaml.
type Type struct {
	Name string
	Doc  string // sentence in the reference
	// Params returns a pointer to a new struct for the keys of the type. The struct has tags for a decoder.
	Params func() any

	build func(d Deps, params any) (key string, p provider.Provider, err error)
}

// Make makes a provider from decoded parameters. `params` must have the type that Params returns. `key` identifies the definition.
func (t Type) Make(d Deps, params any) (key string, p provider.Provider, err error) {
	return t.build(d, params)
}

// Types returns the types of providers in the order of the reference. The first type is the default.
func Types() []Type {
	return []Type{
		define("rest", "What an HTTP server answers.", makeRest),
		define("feed", "News: RSS, Atom or JSON Feed.", func(d Deps, p *feed.Params) (string, provider.Provider, error) {
			return made(feed.New(p, d.asking()))
		}),
		define("prometheus", "Numbers of a Prometheus server.", func(d Deps, p *prometheus.Params) (string, provider.Provider, error) {
			return made(prometheus.New(p, d.asking()))
		}),
		define("file", "A file of this machine, read again when it changes.", func(d Deps, p *file.Params) (string, provider.Provider, error) {
			f, err := file.New(*p, d.Files)
			return plainKey(p) + rootKey(d.Files), f, err
		}),
		define("push", "What somebody brings with PUT /values/NAME.", func(d Deps, p *push.Params) (string, provider.Provider, error) {
			v := push.New(d.Name, *p)
			return v.Key(), v, nil
		}),
		define("stream", "Messages that a server sends by itself: server-sent events, a WebSocket, or lines.", func(d Deps, p *stream.Params) (string, provider.Provider, error) {
			key, v, err := stream.New(p, d.asking())
			if err != nil {
				return "", nil, err
			}
			return key, v, nil
		}),
		define("derived", "What a program makes of other providers.", func(_ Deps, p *derived.Params) (string, provider.Provider, error) {
			return derived.Alone(p) // for checks only; derived.New is called after the providers that the program reads exist
		}),
		define("gtfs", "Departures of public transport from a time table and its realtime feeds.", makeGTFS),
		define("calendar", "What is in calendars: events and tasks.", makeCalendar),
		define("todoist", "The open tasks of a Todoist account.", makeTodoist),
		define("immich", "The photos of an Immich server.", makeImmich),
		define("icloud", "The photos of a shared album of iCloud.", makeICloud),
		define("mpd", "The song that a Music Player Daemon plays.", makeMPD),
		define("webdav", "Photos on a WebDAV server, such as Nextcloud.", makeWebDAV),
		define("sun", "The sun at a place.", makeSun),
		define("mqtt", "What is published on an MQTT broker.", makeMQTT),
		define("homeassistant", "The entities of a Home Assistant.", makeHome),
		define("weather", "What the weather is and will be at a place.", makeWeather),
		define("system", "This machine.", func(_ Deps, p *system.Params) (string, provider.Provider, error) {
			return plainKey(p), system.New(*p), nil
		}),
	}
}

func makeImmich(d Deps, p *immich.Params) (string, provider.Provider, error) {
	key, v, err := immich.New(p, d.asking())
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

func makeICloud(d Deps, p *icloud.Params) (string, provider.Provider, error) {
	key, v, err := icloud.New(p, d.asking())
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

func makeRest(d Deps, p *rest.Params) (string, provider.Provider, error) {
	c, err := p.Config(d.asking())
	if err != nil {
		return "", nil, err
	}
	if !p.Write {
		return c.Key(), rest.New(c, d.Client), nil
	}
	s, err := rest.NewTasks(p, c, d.asking())
	if err != nil {
		return "", nil, err
	}
	return c.Key() + ask.Key(" tasks", p.On), s, nil
}

func makeTodoist(d Deps, p *todoist.Params) (string, provider.Provider, error) {
	return made(todoist.New(p, d.asking()))
}

func makeGTFS(d Deps, p *gtfs.Params) (string, provider.Provider, error) {
	key, v, err := gtfs.New(p, d.asking())
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

func makeWebDAV(d Deps, p *webdav.Params) (string, provider.Provider, error) {
	key, v, err := webdav.New(p, d.asking())
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

func makeMPD(_ Deps, p *mpd.Params) (string, provider.Provider, error) {
	key, v, err := mpd.New(p)
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

func makeSun(d Deps, p *sun.Params) (string, provider.Provider, error) {
	at, err := p.Place(d.Home)
	if err != nil {
		return "", nil, err
	}
	spot, err := d.spot(at)
	if err != nil {
		return "", nil, err
	}
	s, err := sun.New(p.TimeZone, d.Location, spot)
	return fmt.Sprintf("sun %s %q %v", spot.Key(), p.TimeZone, d.Location), s, err
}

func makeMQTT(d Deps, p *mqtt.Params) (string, provider.Provider, error) {
	own := *p
	if at, ok := d.Files.(interface{ Path(string) string }); ok && own.Broker != nil && own.Broker.CAFile != "" {
		broker := *own.Broker
		broker.CAFile = at.Path(broker.CAFile)
		own.Broker = &broker
	}
	key, v, err := mqtt.New(&own, d.Broker, d.Sessions)
	if err != nil {
		return "", nil, err
	}
	return key, v, nil
}

// TypeNames returns the names of all types.
func TypeNames() []string {
	var names []string
	for _, t := range Types() {
		names = append(names, t.Name)
	}
	return names
}

// TypeNamed returns the type with the given name. ok is false for an unknown name.
func TypeNamed(name string) (Type, bool) {
	all := Types()
	i := slices.IndexFunc(all, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, false
	}
	return all[i], true
}

// define returns a type whose parameters are a P.
func define[P any](name, doc string, build func(d Deps, p *P) (string, provider.Provider, error)) Type {
	return Type{
		Name: name, Doc: doc, Params: func() any { return new(P) },
		build: func(d Deps, params any) (string, provider.Provider, error) { return build(d, params.(*P)) },
	}
}

// made() converts a *ask.Source to a provider. After an error, it returns a nil interface and not an interface that holds a nil pointer.
func made(key string, s *ask.Source, err error) (string, provider.Provider, error) {
	if err != nil {
		return "", nil, err
	}
	return key, s, nil
}

// rootKey returns a text that identifies a folder.
func rootKey(files fs.FS) string {
	if r, ok := files.(interface{ Path(string) string }); ok {
		return " in " + r.Path("")
	}
	return ""
}

// plainKey returns a text that identifies parameters. The parameters must be plain values without secrets.
func plainKey[P any](p *P) string { return fmt.Sprintf("%T %+v", p, *p) }
