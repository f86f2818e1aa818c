package config

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestServerHost(t *testing.T) {
	for host, right := range map[string]bool{
		"127.0.0.1": true, "0.0.0.0": true, "'::'": true, "'fe80::1%eth0'": true, "localhost": true, "wall.lan": true, "''": true,
		"192.168.1.300": false, "192.168.1": false, "http://192.168.1.5": false, "'192.168.1.5:5000'": false, "wall lan": false, "'[::]'": false, "'*'": false,
	} {
		var r Report
		LoadConf(fstest.MapFS{"conf.yaml": {Data: []byte("server:\n  host: " + host + "\noutputs: [{type: stream}]\n")}}, "conf.yaml", &r, nil)
		const want = "conf.yaml:2:9: server.host: must be an address of this machine without scheme and port"
		if got := r.String(); right && got != "" || !right && !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q", host, got)
		}
	}
}
