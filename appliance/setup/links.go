//go:build linux

package setup

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// homeOf returns the address of the set-up's page in the joined network, or "" without a network. An IPv6 address is too long to type and
// for the QR code, so the board's name takes its place.
func homeOf(host string, addresses ...netip.Addr) (home string) {
	for _, a := range addresses {
		switch {
		case a.Is4():
			return a.String()
		case a.IsValid():
			home = host + ".local"
		}
	}
	return home
}

// links() returns the board's addresses by cable and by Wi-Fi. The board's own access point does not count. `plug` is true if a cable is
// plugged in.
func links() (cable, wifi netip.Addr, plug bool) {
	all, err := net.Interfaces()
	if err != nil {
		return cable, wifi, false
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 || i.Flags&net.FlagUp == 0 {
			continue
		}
		at := &cable
		if strings.HasPrefix(i.Name, "wl") {
			at = &wifi
		} else if i.Flags&net.FlagRunning != 0 {
			plug = true
		}
		if a := addressOf(i); a.IsValid() && !at.IsValid() {
			*at = a
		}
	}
	return cable, wifi, plug
}

// addressOf returns the address of an interface.
func addressOf(i net.Interface) netip.Addr {
	all, err := i.Addrs()
	if err != nil {
		return netip.Addr{}
	}
	return addressIn(all)
}

// addressIn returns the first IPv4 address of a list. A network may have IPv6 only, so the first IPv6 address follows. Link-local addresses
// and the access point's address do not count.
func addressIn(all []net.Addr) (six netip.Addr) {
	for _, one := range all {
		p, err := netip.ParsePrefix(one.String())
		a := p.Addr()
		switch {
		case err != nil || !a.IsGlobalUnicast() || a == pointAddress:
		case a.Is4():
			return a
		case !six.IsValid():
			six = a
		}
	}
	return six
}

// timeServers is a name of Debian's time servers. Every board looks up this name anyway to set its clock.
const timeServers = "2.debian.pool.ntp.org"

// testPage is Debian's page for finding captive portals. Its content is testAnswer.
const (
	testPage   = "http://network-test.debian.org/nm"
	testAnswer = "NetworkManager is online"
	pageTime   = 2 * time.Second // time limit of the request
)

// internet reports whether the network has internet access.
func internet(ctx context.Context) bool {
	return reaches(ctx, net.DefaultResolver.LookupNetIP) && !intercepted(ctx, testPage)
}

// intercepted reports whether a captive portal answers in place of a web page. Such a portal may look up names correctly. An error of the
// page's own server and a missing answer are no portal, because a network may close port 80.
func intercepted(ctx context.Context, page string) bool {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return false
	}
	// The transport has no proxy, and follows no redirect.
	answer, err := (&http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: maxHead}).RoundTrip(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	switch s := answer.StatusCode; {
	case s == http.StatusNetworkAuthenticationRequired:
		return true
	case s >= 300 && s < 400:
		to, err := answer.Location()
		return err != nil || to.Hostname() != r.URL.Hostname()
	case s != http.StatusOK:
		return s < 300
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, int64(2*len(testAnswer))))
	return err == nil && strings.TrimSpace(string(data)) != testAnswer
}

// reaches reports whether the name server of a network looks up timeServers. The name server of a captive portal answers every name with
// the portal's address. So a name that does not exist must not have an address of timeServers. A provider may answer such a name with
// another address, for example of a page with advertisements.
func reaches(ctx context.Context, look func(ctx context.Context, network, name string) ([]netip.Addr, error)) bool {
	servers, err := look(ctx, "ip", timeServers)
	if err != nil || len(servers) == 0 {
		return false
	}
	portal, _ := look(ctx, "ip", strings.ToLower(rand.Text())+".org.") // the right answer is an error
	return !slices.ContainsFunc(portal, func(a netip.Addr) bool { return slices.Contains(servers, a) })
}
