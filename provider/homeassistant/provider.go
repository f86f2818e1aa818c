// Package homeassistant provides the entities of a Home Assistant through its WebSocket API
// (developers.home-assistant.io/docs/api/websocket). Each entity has its own cell.
package homeassistant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

// Params are the keys of a provider of type homeassistant.
type Params struct {
	// Address of Home Assistant. Default: the address in conf.yaml.
	URL       string `yaml:"url"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Long-lived access token. Default: the token in conf.yaml.
	Token string `yaml:"token"`
	// Entities whose names are computed by programs. Other entities need not be listed.
	Entities value.Words `yaml:"entities"`

	// At most 32 templates by name (letters, digits and _). Home Assistant renders them after every change. Each result is an entry in the
	// provider's value.
	Templates map[string]string `yaml:"templates"`

	// To-do lists by name, such as {shop: todo.shopping_list}, at most 20. Each list is an entry in the provider's value: items with id,
	// title, done, due and description.
	Lists map[string]string `yaml:"lists"`
	// Allows changing lists at the wall.
	Write bool `yaml:"write" default:"false"`
}

// Deps are the dependencies of the providers.
type Deps struct {
	Client   *fetch.Client
	Sessions *provider.Sessions
	Queues   *todo.Queues // queues for changes of lists; nil if changes are not allowed
}

// A Provider publishes a mapping of all entities that its connection follows.
type Provider struct {
	keeps
	home      *Home
	entities  []string
	templates map[string]string
	lists     map[string]*list
	key       string
}

// A Home is one Home Assistant, accessed with one token.
type Home struct {
	deps    Deps
	request fetch.Request
	token   string
	key     string // identifies the home, but does not reveal the token
}

// NewHome returns a Home. The Home connects at the first call of Connect. `secret` reports whether the address is a secret. An error
// begins with the name of the configuration key that causes it.
func NewHome(address string, secret bool, token string, d Deps) (*Home, error) {
	switch {
	case address == "":
		return nil, errors.New("url: is missing: write the address of Home Assistant, such as http://homeassistant.local:8123, here or under 'homeassistant' in conf.yaml")
	case token == "":
		return nil, errors.New("token: is missing: make a long-lived access token in your profile of Home Assistant")
	}
	if err := fetch.CheckURL(address); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	at, err := url.JoinPath(address, "api", "websocket")
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	sum := sha256.Sum256([]byte(strings.TrimRight(address, "/") + "\x00" + token))
	return &Home{
		deps: d, token: token, key: "homeassistant:" + hex.EncodeToString(sum[:16]),
		request: fetch.Request{URL: at, Secret: secret, Timeout: dialTime, MaxBytes: MaxMessage},
	}, nil
}

// Key returns a text that identifies the home. It does not reveal the token.
func (h *Home) Key() string { return h.key }

// Connect returns the connection that all providers of this home share, and a function that releases it.
func (h *Home) Connect(ctx context.Context) (*Connection, func(), error) {
	return provider.Acquire(ctx, h.deps.Sessions, h.key, func(ctx context.Context) (*Connection, error) {
		return open(ctx, h.deps.Client, h.request, h.token), nil
	})
}

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d Deps) (key string, v *Provider, err error) {
	home, err := NewHome(p.URL, p.URLSecret, p.Token, d)
	if err != nil {
		return "", nil, err
	}
	if len(p.Entities) > MaxEntities {
		return "", nil, fmt.Errorf("entities: %w", errMany)
	}
	for _, id := range p.Entities {
		if err := CheckID(id); err != nil {
			return "", nil, fmt.Errorf("entities: %w", err)
		}
	}
	if err := checkTemplates(p.Templates); err != nil {
		return "", nil, err
	}
	key = fmt.Sprintf("%s %q %q", home.key, p.Entities, p.Templates) // Sprintf sorts the keys of maps
	if len(p.Lists) > 0 {
		key += fmt.Sprintf(" %q %v", p.Lists, p.Write)
	}
	v = &Provider{home: home, entities: p.Entities, templates: p.Templates, key: key}
	return key, v, v.makeLists(p, d)
}

// CheckID returns an error for an invalid entity id.
func CheckID(id string) error {
	if !valid(id) {
		return fmt.Errorf("%.80q is not an entity id, such as light.hall", id)
	}
	return nil
}

var (
	_ provider.Parted       = (*Provider)(nil)
	_ provider.SharedKeeper = (*Provider)(nil)
	_ provider.Lister       = (*Provider)(nil)
	_ todo.Holder           = (*Provider)(nil)
	_ provider.SharedKeeper = (*one)(nil)
	_ provider.SharedKeeper = (*fixed)(nil)
)

// The type `keeps` implements provider.SharedKeeper. After a restart, the last values appear again with their real age.
type keeps struct{}

func (keeps) Kept(value any) ([]byte, error) { return new(ask.Source).Kept(value) }
func (keeps) Restore(data []byte, at time.Time) (any, error) {
	return new(ask.Source).Restore(data, at)
}
func (keeps) SharesPublisher() {}

// Kind is "homeassistant".
func (p *Provider) Kind() string { return "homeassistant" }

// Home returns the Home Assistant of the provider.
func (p *Provider) Home() *Home { return p.home }

// Run publishes the mapping of all entities until ctx ends.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := p.home.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	for _, id := range p.entities {
		defer c.Follow(id, provider.NewCell(nil))()
	}
	further := map[string]*provider.Cell{}
	for name, text := range p.templates {
		further[name] = provider.NewCell(nil)
		defer c.render(text, &rendering{cell: further[name]})()
	}
	for name, l := range p.lists {
		further[name] = l.cell
	}
	defer p.runLists(ctx, c)()
	defer c.FollowAll(cell, further)()
	<-ctx.Done()
	return nil
}

// Part implements provider.Parted. A part is one entity, one template or one list.
func (p *Provider) Part(id string) (key string, part provider.Provider, err error) {
	if text, ok := p.templates[id]; ok {
		key, part = p.home.template(text)
		return key, part, nil
	}
	if l := p.lists[id]; l != nil {
		return p.key + " list " + id, l.part(), nil
	}
	if !valid(id) {
		return "", nil, p.noSuch(id)
	}
	return p.home.key + " " + id, &one{home: p.home, id: id}, nil
}

// The type one is a provider whose value is a single entity.
type one struct {
	keeps
	home *Home
	id   string
}

// Kind is "entity".
func (e *one) Kind() string { return "entity" }

// Run publishes the entity (its state, its attributes and the time of its last change) until ctx ends.
func (e *one) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := e.home.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	defer c.Follow(e.id, cell)()
	<-ctx.Done()
	return nil
}
