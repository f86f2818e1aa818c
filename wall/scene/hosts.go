package scene

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/fetch"
)

// addressKeys lists the keys of providers whose values are addresses of requests. unasked lists keys whose values are not searched for
// addresses, because these values are sent to a server or are programs.
var (
	addressKeys = []string{"url", "caldav"}
	unasked     = []string{"headers", "params", "body", "payload", "subscribe", "keep"}
)

// checkHosts reports each address in a provider of a recipe whose host the recipe does not list. It returns false if there is such an
// address. A host that contains a value is unknown until the request, so only the client checks it.
func (l *loading) checkHosts(u *recipe.Use, client *fetch.Client, n *config.Node) bool {
	ok := true
	for _, item := range n.Items() {
		ok = l.checkHosts(u, client, item) && ok
	}
	for _, p := range n.Pairs() {
		switch {
		case slices.Contains(addressKeys, p.Key) && p.Value.Kind() == config.String:
			ok = l.checkHost(u, client, p.Value) && ok
		case !slices.Contains(unasked, p.Key):
			ok = l.checkHosts(u, client, p.Value) && ok
		}
	}
	return ok
}

// checkHost reports an address if the recipe does not list its host. It then returns false.
func (l *loading) checkHost(u *recipe.Use, client *fetch.Client, n *config.Node) bool {
	scheme, rest, _ := strings.Cut(n.Text(), "//")
	host := rest[:strings.IndexAny(rest+"/", "/?#")]
	address, err := url.Parse(scheme + "//" + host)
	if err != nil || strings.Contains(host, "{") || !errors.Is(client.Host(address.String()), fetch.ErrRefused) {
		return true
	}
	if host = address.Host; n.Secret() {
		host = "of a secret address"
	}
	listed := cmp.Or(strings.Join(u.Recipe.Hosts, ", "), "none")
	l.report.Errorf(n, "the host %s is not among the hosts of the recipe %s: %s", host, u.Recipe.Name, listed)
	return false
}
