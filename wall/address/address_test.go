package address

import (
	"net"
	"net/netip"
	"testing"
)

func network(s string) *net.IPNet {
	ip, n, err := net.ParseCIDR(s)
	if err != nil {
		panic(err)
	}
	n.IP = ip
	return n
}

func TestUsable(t *testing.T) {
	got := usable([]net.Addr{network("127.0.0.1/8"), network("fd00::5/64"), network("fe80::1/64"), network("169.254.3.4/16"), network("192.168.1.20/24")})
	if len(got) != 2 || got[0] != netip.MustParseAddr("192.168.1.20") || got[1] != netip.MustParseAddr("fd00::5") {
		t.Errorf("got %v, want the address of IPv4, then that of IPv6", got)
	}
}

func TestOrder(t *testing.T) {
	got := order([]Interface{{Name: "a"}, {Name: "b", Up: true}, {Name: "c", Addrs: []netip.Addr{netip.MustParseAddr("fd00::5")}}, {Name: "wlan0", Addrs: []netip.Addr{netip.MustParseAddr("10.0.0.1")}}})
	for i, want := range []string{"wlan0", "c", "b", "a"} {
		if got[i].Name != want {
			t.Errorf("%d: got %s, want %s", i, got[i].Name, want)
		}
	}
	if !got[0].Wireless() || got[1].Wireless() {
		t.Error("the radio is not told from the cable")
	}
}
