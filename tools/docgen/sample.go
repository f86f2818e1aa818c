package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/samples"
)

// sampleDir is the folder of the samples' pictures, relative to the repository.
const sampleDir = "docs/pictures/samples"

// recorded has answers of the hosts that the samples use, in <host>.json or <host>_<last part of the path>.json. It also has values about a
// machine in system.json, and values about the sun in sun.json.
//
//go:embed recorded
var recorded embed.FS

func recordedFile(name string) ([]byte, bool) {
	data, err := recorded.ReadFile("recorded/" + name + ".json")
	return data, err == nil
}

// recordedAnswer returns the recorded answer of a host that the samples use.
func recordedAnswer(r *http.Request) ([]byte, bool) {
	if data, ok := recordedFile(r.URL.Hostname() + "_" + path.Base(r.URL.Path)); ok {
		return data, true
	}
	return recordedFile(r.URL.Hostname())
}

// `still` is a provider that publishes one recorded value.
type still struct {
	kind  string
	value func() (any, error)
}

// Kind returns the type of the provider that s replaces.
func (s still) Kind() string { return s.kind }

// Run publishes the value once, and then waits until ctx ends.
func (s still) Run(ctx context.Context, cell *provider.Cell) error {
	v, err := s.value()
	if err != nil {
		return err
	}
	cell.Publish(v, time.Now())
	<-ctx.Done()
	return nil
}

// recordedValue returns the value of a recorded answer. For a weather service, the value is a forecast. For all other kinds of providers,
// it is JSON.
func recordedValue(kind string) (any, error) {
	data, ok := recordedFile(kind)
	if !ok {
		return nil, errors.New("there is nothing recorded")
	}
	if kind == "weather" {
		r, err := weather.OpenMeteo(data)
		if r != nil {
			r.Place = "Greenwich"
			r.Air = &weather.Air{At: r.At, Index: 32, UV: 4, Pollen: [...]weather.Number{weather.Grass: 18, weather.Birch: 24, weather.Alder: 0, weather.Mugwort: 0, weather.Olive: 0, weather.Ragweed: weather.None}}
		}
		return r, err
	}
	var v any
	err := json.Unmarshal(data, &v)
	return v, err
}

// steps is about the maximum number of updates of a wall before its picture is drawn.
const steps = 100

// A shot describes a picture of a sample.
type shot struct {
	sample, theme string        // theme is the name of a file in themes/. "" means the theme in the widgets file.
	size          image.Point   // size of the picture. Zero means the configured size
	after         time.Duration // time from `moment` to the picture. `called` is its name in the file name
	called        string
}

// shots lists the pictures of the classic sample. Tests of the program draw and compare the pictures of the other samples.
var shots = []shot{
	{sample: "classic-home", theme: "day"}, {sample: "classic-home", theme: "night"}, {sample: "classic-home", theme: "night", size: image.Pt(1024, 600)},
}

// path returns the path of the picture, relative to the repository.
func (s shot) path() string {
	name := s.sample
	if s.theme != "" {
		name += "-" + s.theme
	}
	if s.size != (image.Point{}) {
		name += fmt.Sprintf("-%dx%d", s.size.X, s.size.Y)
	}
	if s.called != "" {
		name += "-" + s.called
	}
	return sampleDir + "/" + name + ".png"
}

// sample draws a picture in a separate folder.
func (h *home) sample(s shot) (*image.RGBA, error) {
	dir, err := os.MkdirTemp(h.dir, "sample-")
	if err != nil {
		return nil, err
	}
	files, err := samples.Files()
	if err != nil {
		return nil, err
	}
	content, err := fs.Sub(files, s.sample)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.CopyFS(dir, content), os.Chdir(dir)); err != nil {
		return nil, err
	}
	defer os.Chdir(h.dir)
	return h.shoot(s)
}

// shoot draws a picture of the sample in the working directory.
func (h *home) shoot(s shot) (*image.RGBA, error) {
	r := &config.Report{}
	conf, ok := config.LoadConf(folder.Dir(""), config.ConfName, r, secrets)
	if !ok {
		return nil, errors.New(r.String())
	}
	w := wallFiles{size: image.Pt(conf.Graphics.Resolution.Width, conf.Graphics.Resolution.Height), scale: conf.Graphics.TextScale}
	if s.size != (image.Point{}) {
		w.scale *= min(float64(s.size.X)/float64(w.size.X), float64(s.size.Y)/float64(w.size.Y))
		w.size = s.size
	}
	if s.theme != "" {
		w.theme = config.LoadWidgets(folder.Dir(""), "themes/"+s.theme+".yaml", r, secrets)
	}
	data, err := os.ReadFile("widgets.yaml")
	if err != nil {
		return nil, err
	}
	w.yaml = string(data)
	t := h.build(w, r)
	defer t.close()
	if r.Failed() || len(r.Warnings()) > 0 {
		return nil, errors.New(strings.TrimSpace(r.String()))
	}
	if err := t.live(""); err != nil {
		return nil, err
	}
	show := render.New(t.root, w.size)
	for later := time.Duration(0); later <= s.after; later += max(time.Second, s.after/steps) {
		show.Step(moment.Add(later))
	}
	return show.Frame(), nil
}
