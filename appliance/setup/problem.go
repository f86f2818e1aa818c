//go:build linux

package setup

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	problemTime = 2 * time.Second // time limit for the wall's answer, because a page waits for it
	maxHealth   = 1 << 20         // maximum size of the answer, in bytes
)

// wallProblem returns the first error in the files of the wall, with its position. If there is no error or the wall does not answer, it
// returns "". The wall may listen at one address only (server.host), so wallProblem asks the given addresses in turn until one answers.
func wallProblem(ctx context.Context, port string, addresses ...netip.Addr) string {
	ctx, cancel := context.WithTimeout(ctx, problemTime)
	defer cancel()
	for _, a := range addresses {
		if !a.IsValid() {
			continue
		}
		if problem, ok := problemAt(ctx, "http://"+net.JoinHostPort(a.String(), port)); ok {
			return problem
		}
	}
	return ""
}

// problemAt asks the wall's server at a base address. It returns false if no server answers.
func problemAt(ctx context.Context, base string) (problem string, ok bool) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
	if err != nil {
		return "", false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", false
	}
	defer answer.Body.Close()
	var health struct {
		Config struct{ Problem string }
	}
	_ = json.NewDecoder(io.LimitReader(answer.Body, maxHealth)).Decode(&health) // after an error Problem is ""
	return health.Config.Problem, true
}
