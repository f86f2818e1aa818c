package query

import (
	"testing"

	"dashboard/internal/fetch"
)

// TestWho: all forms of a login give the same result, and an incomplete login is reported.
func TestWho(t *testing.T) {
	named := fetch.Auth{Username: "u", Password: "p"}
	for name, c := range map[string]struct {
		a    *Auth
		want fetch.Auth
		bad  bool
	}{
		"nobody":             {nil, fetch.Auth{}, false},
		"bearer":             {&Auth{Bearer: "x"}, fetch.Auth{Bearer: "x"}, false},
		"basic":              {&Auth{Basic: &Basic{"u", "p"}}, named, false},
		"type bearer":        {&Auth{Type: "bearer", Token: "x", Username: "u"}, fetch.Auth{Bearer: "x"}, false},
		"type basic":         {&Auth{Type: "basic", Username: "u", Password: "p", Token: "x"}, named, false},
		"bearer before":      {&Auth{Bearer: "x", Basic: &Basic{"u", "p"}}, fetch.Auth{Bearer: "x"}, false},
		"nothing":            {&Auth{}, fetch.Auth{}, true},
		"type without token": {&Auth{Type: "bearer", Username: "u"}, fetch.Auth{}, true},
		"type without name":  {&Auth{Type: "basic", Token: "x"}, fetch.Auth{}, true},
	} {
		if got, err := c.a.Who(); got != c.want || (err != nil) != c.bad {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}
