package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// fullWall is a shell script. It prints how full two file systems are: the card's root file system, which is read-only, and the file
// system that the machine writes to.
const fullWall = `mkdir -p /tmp/full && cd /tmp/full && printf 'server: {port: 5009}\n' >conf.yaml && printf 'widgets:\n- {widget: text, text: x}\n' >widgets.yaml &&
printf 'providers:\n  root: {type: system}\n  memory: {type: system, disk: /var/lib/private}\n' >providers.yaml && dashboard values --config-dir .`

// full() checks the values that the machine reports. There must be a percentage for the writable file system. There must be no percentage
// for the root file system, because it would always be 100 %.
func (l login) full(ctx context.Context) error {
	out, err := l.run(ctx, "owner", fullWall)
	if err != nil {
		return fmt.Errorf("values: %q, %w", out, err)
	}
	var all []struct {
		Name  string
		Value map[string]any
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		return fmt.Errorf("values: %q, %w", out, err)
	}
	has := map[string]bool{}
	for _, v := range all {
		if v.Value["memory_percent"] == nil {
			return fmt.Errorf("values of %s: %v, want those of a machine", v.Name, v.Value)
		}
		_, has[v.Name] = v.Value["disk_percent"]
	}
	if len(all) != 2 || has["root"] || !has["memory"] {
		return fmt.Errorf("a share of the disk: %v, want one of what can be written alone", has)
	}
	return nil
}
