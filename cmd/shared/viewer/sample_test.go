package viewer

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/internal/testing/programtest"
)

// sample returns the sample client.yaml that is part of a release.
func sample(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../dashboard-client/client.yaml.sample")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// check runs the check for a client.yaml in a temporary folder.
func check(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	programtest.Write(t, dir, map[string]string{"client.yaml": text, "secrets.yaml": "stream: word\n"})
	t.Chdir(dir)
	_, report := load(&options{config: filepath.Join(dir, "client.yaml")})
	return report.String()
}

func TestSample(t *testing.T) {
	if got := check(t, sample(t)); got != "" {
		t.Errorf("got %s", got)
	}
}

// TestSampleComments uncomments every key in the sample. All of these keys are valid, and the sample contains every key.
func TestSampleComments(t *testing.T) {
	text := sample(t)
	_, text, _ = strings.Cut(text, "\nserver:")
	text = "server:" + strings.Replace(text, "    # device: screen.raw\n", "", 1)
	text = regexp.MustCompile(`(?m)^( *)# ( *)([a-z_]+:)`).ReplaceAllString(text, "$1$2$3")
	// A connector cannot be combined with a framebuffer device, and an address cannot be combined with a name to search for.
	connected := strings.Replace(regexp.MustCompile(`(?m)^ *device: .*\n`).ReplaceAllString(text, ""), "driver: virtual", "driver: drm", 1)
	connected = regexp.MustCompile(`(?m)^ *name: .*\n`).ReplaceAllString(connected, "")
	if got := check(t, connected); got != "" {
		t.Errorf("got %s\nof\n%s", got, connected)
	}
	for _, key := range keys(reflect.TypeFor[config.Client]()) {
		// The sample leaves out the keys for touchscreens and the ignored key x_display.
		if !slices.Contains([]string{"x_display", "touch", "touch_matrix"}, key) &&
			!regexp.MustCompile(`(?m)^ *(- )?`+key+`:`).MatchString(text) {
			t.Errorf("the sample lacks %s", key)
		}
	}
}

// keys() returns the keys of a struct and of nested structs.
func keys(t reflect.Type) (all []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[config.Node]() || t == reflect.TypeFor[config.Size]() {
		return nil
	}
	for f := range t.Fields() {
		if tag := f.Tag.Get("yaml"); tag != "" {
			all = append(all, tag)
		}
		all = append(all, keys(f.Type)...)
	}
	return all
}
