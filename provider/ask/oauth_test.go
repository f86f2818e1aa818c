package ask

import (
	"errors"
	"testing"

	"dashboard/internal/fetch"
	"dashboard/internal/oauth"
	"dashboard/provider/query"
)

// The authorize address of a recipe must be on a host that the recipe may use.
func TestAuthorizeOfRecipe(t *testing.T) {
	limited := fetch.New(&fetch.Options{}).Only(fetch.Hosts{Named: []string{"api.example.org"}})
	for _, c := range []struct {
		owner, authorize string
		client           *fetch.Client
		refused          bool
	}{
		{"mail", "https://api.example.org/allow", limited, false},
		{"mail", "https://evil.example/allow", limited, true},
		{"mail", "https://api.example.org.evil.example/allow", limited, true},
		{"", "https://other.example/allow", fetch.New(&fetch.Options{}), false},
	} {
		d := &Deps{Name: "p", Owner: c.owner, Client: c.client, Grants: oauth.NewGrants("")}
		_, err := d.tokens(&query.OAuth{Authorize: c.authorize, Token: "https://api.example.org/token", ClientID: "w"})
		if errors.Is(err, fetch.ErrRefused) != c.refused || !c.refused && err != nil {
			t.Errorf("%q, %s: got %v", c.owner, c.authorize, err)
		}
	}
}
