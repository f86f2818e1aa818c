package wall

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"time"

	"dashboard/config"
	"dashboard/control/fleet"
	"dashboard/internal/folder"
	"dashboard/internal/mdns"
	"dashboard/internal/state"
	"dashboard/wall/announce"
)

const (
	// fleetFolder and fleetFile are the path of a file in the state folder with the tokens and keys of other walls.
	fleetFolder, fleetFile = "walls", "walls.json"
	// maxFleetFile is the maximum size of fleetFile, in bytes.
	maxFleetFile = 256 << 10
	// fleetHeader is the maximum size of the header of a wall's response, in bytes.
	fleetHeader = 4 << 10
)

// newFleet returns the set of walls in the network. It loads their tokens and keys from the state folder.
func newFleet(store *state.Store) *fleet.Fleet {
	p := fleet.Parts{Client: fleetClient(), Browse: browseWalls, Name: hostName}
	if store == nil {
		return fleet.New(p)
	}
	dir, err := store.Folder(fleetFolder)
	if err != nil {
		return fleet.New(p)
	}
	if data, err := folder.Read(folder.Dir(dir), fleetFile, maxFleetFile); err == nil {
		_ = json.Unmarshal(data, &p.Kept) // if the file is missing or has an error, there are no tokens
	}
	p.Save = func(all []fleet.Kept) error {
		data, err := json.Marshal(all)
		if err != nil {
			return err
		}
		return state.Replace(filepath.Join(dir, fleetFile), data)
	}
	return fleet.New(p)
}

// fleetClient returns the client for requests to other walls. It does not follow redirects, because a redirect could send the
// token to another host.
func fleetClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			MaxConnsPerHost: 2, MaxIdleConnsPerHost: 1, MaxIdleConns: fleet.MaxWalls, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: fleetHeader,
		},
	}
}

// browseWalls searches for walls that announce themselves at addresses of the local network. It calls `changed` after each change until ctx
// ends.
func browseWalls(ctx context.Context, changed func([]fleet.Address)) error {
	return mdns.Browse(ctx, announce.Service, func(found []mdns.Found) {
		var all []fleet.Address
		for i := range found {
			if ip := found[i].Addresses[0]; ip.IsPrivate() || ip.IsLinkLocalUnicast() {
				all = append(all, fleet.Address{Name: found[i].Name, URL: found[i].URL()})
			}
		}
		changed(all)
	})
}

// listedWalls returns the walls of conf.yaml.
func listedWalls(walls []config.FleetWall) (all []fleet.Address) {
	for _, w := range walls {
		all = append(all, fleet.Address{Name: w.Name, URL: w.URL, Key: w.Token, Listed: true})
	}
	return all
}
