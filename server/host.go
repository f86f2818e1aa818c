package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// AnyName in Settings.Names lets requests name this server as they like.
const AnyName = "*"

// homeDomains are those that no registry gives to strangers: RFC 6762 section 3, RFC 8375, ICANN's .internal, and what
// routers call their own network. A name in them resolves to what the network at home says.
var homeDomains = [...]string{".local", ".lan", ".home.arpa", ".internal", ".fritz.box"}

// longestName is that of a domain name, RFC 1035 section 2.3.4: longer ones are cut in answers.
const longestName = 253

// addressed wraps a handler so that it answers only to this server's own names. A page on the web whose name is made to
// resolve to this machine (DNS rebinding) could read every answer otherwise: to the browser it is one site.
func (s *Server) addressed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := hostName(r.Host)
		if !ownName(name, s.settings.Load().Names) {
			name = name[:min(len(name), longestName)]
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("%q is no name of this server; add it to server.names in conf.yaml", name))
			return
		}
		h(w, r)
	}
}

// ownName reports whether requests may name this server so: by an address, by a name that only a network at home can
// resolve, or by one that is configured. Without a name, as in HTTP/1.0, nobody is misled.
func ownName(name string, names []string) bool {
	if name == "" || !strings.Contains(name, ".") || slices.Contains(names, AnyName) {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	for _, domain := range homeDomains {
		if strings.HasSuffix(name, domain) || name == domain[1:] {
			return true
		}
	}
	return configured(name, names)
}

// configured reports whether a name is one of the configured ones; case and a dot at the end do not count.
func configured(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return hostName(n) == name })
}

// hostName is the name in a Host header or an authority: in lower case, without port, brackets and the dot at the end.
func hostName(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// ownOrigin reports whether the page that sent a request, if one did, is ours: from the very address that the request
// went to, or from a configured name, under which a proxy may have another port than we see. Browsers send Origin with
// every request that may change something, RFC 6454 section 7.
func ownOrigin(r *http.Request, names []string) bool {
	all := r.Header.Values("Origin")
	if len(all) == 0 {
		return true
	}
	u, err := url.Parse(all[0])
	if err != nil || u.Host == "" || len(all) > 1 {
		return false // "null" is nobody's, a sandboxed frame's for instance
	}
	return strings.EqualFold(u.Host, r.Host) || configured(hostName(u.Host), names)
}
