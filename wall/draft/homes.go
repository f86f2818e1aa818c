package draft

import (
	"context"

	"dashboard/server"
)

// A Home is a Home Assistant in the local network.
type Home struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// maxHomes is the maximum number of Home Assistants in an answer.
const maxHomes = 8

// homes() answers GET /edit/homes with the Home Assistants that announce themselves in the local network.
func (d *Editor) homes(ctx context.Context, _ server.EditCall) (server.EditAnswer, error) {
	list := []Home{}
	if d.Homes == nil {
		return ok(map[string]any{"homes": list})
	}
	select {
	case d.seeking <- struct{}{}:
		defer func() { <-d.seeking }()
	default:
		return server.EditAnswer{}, fail(429, "another search is under way: it ends within three seconds")
	}
	list = append(list, d.Homes(ctx)...)
	return ok(map[string]any{"homes": list[:min(len(list), maxHomes)]})
}
