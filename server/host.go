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

// homeDomains are the domains of home networks: RFC 6762 section 3, RFC 8375, ICANN's .internal, and names of routers. They are
// resolved inside the home network.
var homeDomains = [...]string{".local", ".lan", ".home.arpa", ".internal", ".fritz.box"}

// longestName is the maximum length of a domain name (RFC 1035 section 2.3.4). Longer names are cut in answers.
const longestName = 253

// addressed wraps a handler so that it only answers requests for this server's names. Otherwise a web page whose name resolves to
// this machine (DNS rebinding) could read every answer, because the browser treats both as one site.
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

// ownName reports whether a host name is allowed: an address, a name that is only resolved in a home network, or a configured
// name. A request without a name, as in HTTP/1.0, is allowed.
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

// configured reports whether a name is configured, ignoring case and a final dot.
func configured(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return hostName(n) == name })
}

// hostName returns the name in a Host header or an authority, in lower case, without port, brackets and final dot.
func hostName(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// ownOrigin reports whether the requesting page, if any, belongs to this server: it comes from the address of the request, or from
// a configured name with any port, because of proxies. Browsers send Origin with every request that may change something (RFC 6454
// section 7).
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
