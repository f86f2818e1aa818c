package wall

import (
	"fmt"
	"net/netip"
	"testing"

	"dashboard/internal/mdns"
)

// TestHomesOf checks that the address of a Home Assistant is the address that has answered, even if
// its announcement contains another address. Addresses outside of the network are not offered.
func TestHomesOf(t *testing.T) {
	at := func(list ...string) (all []netip.Addr) {
		for _, a := range list {
			all = append(all, netip.MustParseAddr(a))
		}
		return all
	}
	got := homesOf([]mdns.Found{
		{Name: "abc", Addresses: at("192.168.1.5", "fe80::1"), Port: 8123, Text: map[string]string{"location_name": "Home", "internal_url": "http://198.51.100.7", "path": "/evil"}},
		{Name: "second", Addresses: at("10.0.0.9"), Port: 80},
		{Name: "outside", Addresses: at("203.0.113.5"), Port: 8123},
	})
	if want := "[{Home http://192.168.1.5:8123} {second http://10.0.0.9}]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if got := homesOf(nil); got != nil {
		t.Errorf("got %v, want none", got)
	}
}
