package cookbook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"dashboard/config/recipe"
	"dashboard/internal/fetch"
	"dashboard/internal/spelling"
)

// maxCatalogue is the maximum size of a catalogue, in bytes. A catalogue with a thousand recipes has about a megabyte.
const maxCatalogue = 4 << 20

// A Catalogue lists the recipes of a server. The server sends it as a static JSON file.
type Catalogue struct {
	Recipes []Offer `json:"recipes"`
}

// An Offer is a recipe of a catalogue.
type Offer struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	About      string   `json:"about"`
	Version    string   `json:"version"`
	URL        string   `json:"url"` // address of the zip file, relative to the catalogue
	SHA256     string   `json:"sha256"`
	License    string   `json:"license"`
	Hosts      []string `json:"hosts"`
	Parameters []string `json:"parameters"`
	Picture    string   `json:"picture"`
	Requires   string   `json:"requires"`
}

// A Finder finds recipes in folders, zip files, addresses and a catalogue.
type Finder struct {
	Client    *fetch.Client
	Catalogue string // address of the catalogue, or ""
}

// Find reads a recipe. `source` is a folder, a zip file, the address of a zip file, or the name of a recipe in the catalogue. If a zip file
// contains several recipes, #NAME at the end of `source` selects one of them.
func (f Finder) Find(ctx context.Context, source string) (*Bundle, error) {
	at, name, _ := strings.Cut(source, "#")
	if strings.HasPrefix(at, "https://") || strings.HasPrefix(at, "http://") {
		data, err := f.get(ctx, at, maxArchive)
		if err != nil {
			return nil, err
		}
		return FromZip(data, name)
	}
	info, err := os.Stat(at)
	switch {
	case err == nil && info.IsDir():
		return FromFolder(at)
	case err == nil && info.Size() > maxArchive:
		return nil, fmt.Errorf("%s: more than %d bytes", at, maxArchive)
	case err == nil:
		data, err := os.ReadFile(at)
		if err != nil {
			return nil, err
		}
		return FromZip(data, name)
	case recipe.ValidName(source):
		return f.offered(ctx, source)
	}
	return nil, fmt.Errorf("%s is no folder, no zip file, no address and no name of a recipe", source)
}

func (f Finder) get(ctx context.Context, at string, most int64) ([]byte, error) {
	resp, err := f.Client.Do(ctx, &fetch.Request{URL: at, MaxBytes: most})
	if err != nil {
		return nil, err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(at), err)
	}
	return resp.Body, nil
}

// Read fetches and parses the catalogue.
func (f Finder) Read(ctx context.Context) (*Catalogue, error) {
	if f.Catalogue == "" {
		return nil, errors.New("there is no catalogue: write catalogue: and its address in conf.yaml")
	}
	data, err := f.get(ctx, f.Catalogue, maxCatalogue)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("the catalogue: not JSON: %w", err)
	}
	return c, nil
}

// offered() fetches the recipe with the given name in the catalogue.
func (f Finder) offered(ctx context.Context, name string) (*Bundle, error) {
	c, err := f.Read(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, o := range c.Recipes {
		if o.Name == name {
			return f.take(ctx, o)
		}
		names = append(names, o.Name)
	}
	if near := spelling.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("the catalogue has no recipe '%s'; is '%s' meant?", name, near)
	}
	return nil, fmt.Errorf("the catalogue has no recipe '%s'", name)
}

// take fetches the recipe of an offer. If the checksum of the zip file or the name of the recipe differs from the offer, take returns an
// error.
func (f Finder) take(ctx context.Context, o Offer) (*Bundle, error) {
	base, err := url.Parse(f.Catalogue)
	if err != nil {
		return nil, err
	}
	at, err := base.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("the catalogue: %s: %w", o.Name, err)
	}
	data, err := f.get(ctx, at.String(), maxArchive)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); !strings.EqualFold(hex.EncodeToString(sum[:]), o.SHA256) {
		return nil, fmt.Errorf("%s: the file is not the one of the catalogue: its sha256 differs", o.Name)
	}
	b, err := FromZip(data, "")
	if err == nil && b.Recipe.Name != o.Name {
		return nil, fmt.Errorf("the catalogue: %s leads to the recipe %s", o.Name, b.Recipe.Name)
	}
	return b, err
}
