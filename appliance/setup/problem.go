//go:build linux

package setup

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

const (
	problemTime = 2 * time.Second // time limit for the wall's answer, because a page waits for it
	maxHealth   = 1 << 20         // maximum size of the answer, in bytes
)

// wallProblem returns the first error in the files of the wall, with its position. If there is no error or the wall does not answer, it
// returns "". `address` is the base address of the wall's server on this board.
func wallProblem(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, problemTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/healthz", nil)
	if err != nil {
		return ""
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	var health struct {
		Config struct{ Problem string }
	}
	_ = json.NewDecoder(io.LimitReader(answer.Body, maxHealth)).Decode(&health) // after an error Problem is ""
	return health.Config.Problem
}
