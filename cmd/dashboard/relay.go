package main

import (
	"context"
	"io"
	"strings"
	"time"

	"dashboard/appliance/relay/fetcher"
	"dashboard/internal/folder"
	"dashboard/internal/timeset"
)

// relayRelease fetches a file of a release and writes it to `out`. The keeper of the appliance runs this command.
func relayRelease(ctx context.Context, o *options, in io.Reader, out io.Writer) error {
	address, err := folder.Read(folder.Dir(""), o.AddressFile, maxAddress)
	if err != nil {
		return err
	}
	client, err := fetcher.NewClient(timeset.Known(timeset.Machine(), time.Now()), time.Now)
	if err != nil {
		return err
	}
	return fetcher.Serve(ctx, in, out, client, strings.TrimSpace(string(address)))
}
