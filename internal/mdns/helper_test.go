package mdns

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// TestMain is also the main function of a second program. In the network namespaces of the tests, the test binary runs again as a program
// that announces or searches.
func TestMain(m *testing.M) {
	switch role := os.Getenv("MDNS_ROLE"); role {
	case "":
		programtest.MainWithoutLeaks(m)
	case "announce":
		helpAnnounce()
	case "find":
		limit, err := time.ParseDuration(os.Getenv("MDNS_LIMIT"))
		if err != nil {
			fmt.Println(err)
			return
		}
		all, err := Find(context.Background(), os.Getenv("MDNS_TYPE"), limit)
		for _, f := range all {
			fmt.Printf("%s|%s|%s|%s\n", f.Name, f.Host, f.URL(), f.Text["views"])
		}
		if err != nil {
			fmt.Println(err)
		}
	}
}

func helpAnnounce() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := Options{
		Name: os.Getenv("MDNS_NAME"), Host: os.Getenv("MDNS_HOST"), Port: 5000,
		Services: []Service{
			{Type: "_dashboard._tcp", Text: []string{"txtvers=1", "views=main,kitchen"}},
			{Type: "_http._tcp", Text: []string{"path=/"}},
		},
		Named: func(host string) { fmt.Println("named", host) },
		Log:   slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	if only := os.Getenv("MDNS_ONLY"); only != "" {
		o.Allows = func(a netip.Addr) bool { return strings.HasPrefix(a.String(), only) }
	}
	Announce(ctx, o)
	fmt.Println("ended")
}
