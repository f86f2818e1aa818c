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

// AnyName in Settings.Names allows any host name in requests.
const AnyName = "*"

// homeDomains are the domains of home networks. They come from RFC 6762 section 3, RFC 8375, ICANN (.internal) and routers. Only the home
// network can resolve them.
var homeDomains = [...]string{".local", ".lan", ".home.arpa", ".internal", ".fritz.box"}

// longestName is the maximum length of a domain name in bytes (RFC 1035 section 2.3.4). A longer name is cut in answers.
const longestName = 253

// addressed() wraps a handler so that it answers only requests for this server's names. Without this check, a page of another site could
// read every answer. The site's name could resolve to this machine (DNS rebinding), and the browser would then treat this server as a
// part of that site.
func (s *Server) addressed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := hostName(r.Host)
		if !ownName(name, s.settings.Load().Names) {
			name = name[:min(len(name), longestName)]
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("%q is not a name of this server; add it to server.names in conf.yaml", name))
			return
		}
		h(w, r)
	}
}

// ownName reports whether a host name is allowed. It allows IP addresses, names without a dot, names of home networks and configured
// names. It also allows an empty name, which a request with HTTP/1.0 may have.
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

// configured() reports whether `names` contains a name. It ignores case and a dot at the end.
func configured(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return hostName(n) == name })
}

// hostName returns the name in a Host header or in the authority of a URL. It removes the port, brackets and a dot at the end, and converts
// the name to lower case.
func hostName(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// ownOrigin reports whether the page that sends a request belongs to this server. The host of the page must be the host of the request,
// or have a configured name. With a configured name, any port is allowed, because a proxy may use another port. A request that no page
// has sent is allowed. Browsers send Origin with every request that may change something (RFC 6454 section 7).
func ownOrigin(r *http.Request, names []string) bool {
	all := r.Header.Values("Origin")
	if len(all) == 0 {
		return true
	}
	u, err := url.Parse(all[0])
	if err != nil || u.Host == "" || len(all) > 1 {
		return false // for example "null", the origin of a sandboxed frame
	}
	return strings.EqualFold(u.Host, r.Host) || configured(hostName(u.Host), names)
}
