package fetch

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
)

func TestGuardAddresses(t *testing.T) {
	lan := []netip.Prefix{netip.MustParsePrefix("192.168.7.0/24"), netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::ffff:10.1.0.0/112")}
	tests := []struct {
		addr       string
		open, only bool // open: allowed without a list. only: allowed with the list above
	}{
		{"8.8.8.8", true, false}, {"192.168.7.9", true, true}, {"192.168.8.9", true, false}, {"10.1.2.3", true, true}, {"172.31.0.1", true, false},
		{"127.0.0.1", false, true}, {"127.0.0.2", false, false}, {"::ffff:127.0.0.1", false, true}, {"::1", false, false}, {"0.0.0.0", false, false}, {"::", false, false},
		{"169.254.169.254", false, false}, {"169.254.1.1", false, false}, {"fe80::1", false, false}, {"fe80::1%eth0", false, false},
		{"224.0.0.1", false, false}, {"ff02::1", false, false}, {"255.255.255.255", false, false}, {"100.100.100.200", false, false},
		{"fd00:ec2::254", false, false}, {"fd12:3456::1", true, false}, {"2606:4700::1111", true, false}, {"::ffff:192.168.7.9", true, true},
		{"::ffff:169.254.169.254", false, false}, {"64:ff9b::7f00:1", false, false}, {"2002:7f00:1::", false, false}, {"168.63.129.16", false, false},
	}
	open, only, none := NewGuard(nil), NewGuard(lan), NewGuard([]netip.Prefix{})
	for _, tt := range tests {
		a := netip.MustParseAddr(tt.addr)
		if err := open.CheckAddr(a); (err == nil) != tt.open {
			t.Errorf("no list, %s: got %v, want allowed %v", a, err, tt.open)
		}
		if err := none.CheckAddr(a); !errors.Is(err, ErrRefused) {
			t.Errorf("empty list, %s: got %v, want ErrRefused", a, err)
		}
		if err := only.CheckAddr(a); (err == nil) != tt.only || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("list, %s: got %v, want allowed %v", a, err, tt.only)
		}
	}
}

func TestGuardStandsInTheWay(t *testing.T) {
	reached := 0
	target := serve(t, func(http.ResponseWriter, *http.Request) { reached++ })
	u, _ := url.Parse(target)
	named := "http://localhost:" + u.Port()
	entry := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://[::1]:"+u.Port(), http.StatusFound)
	})
	closed := newClient(t, &Options{Guard: NewGuard(nil)})
	for _, to := range []string{target, named, entry} {
		if _, err := closed.Do(t.Context(), &Request{URL: to}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v, want ErrRefused", to, err)
		}
	}
	listed := newClient(t, &Options{Guard: NewGuard([]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})})
	if _, err := listed.Do(t.Context(), &Request{URL: target}); err != nil || reached != 1 {
		t.Errorf("listed: got %v, %d requests", err, reached)
	}
	if _, err := listed.Do(t.Context(), &Request{URL: entry}); !errors.Is(err, ErrRefused) || reached != 1 {
		t.Errorf("redirect off the list: got %v, want ErrRefused", err)
	}
}
