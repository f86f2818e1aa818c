package ask

import (
	"errors"
	"testing"

	"dashboard/internal/fetch"
	"dashboard/internal/oauth"
	"dashboard/provider/query"
)

// The addresses in the keys `authorize` and `token` of a recipe must be on hosts that the recipe may use.
func TestAuthorizeOfRecipe(t *testing.T) {
	limited := fetch.New(&fetch.Options{}).Only(fetch.Hosts{Named: []string{"api.example.org"}})
	const token = "https://api.example.org/token"
	for _, c := range []struct {
		owner, authorize, token string
		client                  *fetch.Client
		refused                 bool
	}{
		{"mail", "https://api.example.org/allow", token, limited, false},
		{"mail", "https://evil.example/allow", token, limited, true},
		{"mail", "https://api.example.org.evil.example/allow", token, limited, true},
		{"mail", "https://api.example.org/allow", "https://evil.example/token", limited, true},
		{"", "https://other.example/allow", "https://other.example/token", fetch.New(&fetch.Options{}), false},
	} {
		d := &Deps{Name: "p", Owner: c.owner, Client: c.client, Grants: oauth.NewGrants("")}
		_, err := d.tokens(&query.OAuth{Authorize: c.authorize, Token: c.token, ClientID: "w"})
		if errors.Is(err, fetch.ErrRefused) != c.refused || !c.refused && err != nil {
			t.Errorf("%q, %s: got %v", c.owner, c.authorize, err)
		}
	}
}
