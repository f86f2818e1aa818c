// Command build bundles the web pages into web/dist and compresses the result into web/dist-packed. Run it in the folder web after `npm
// ci`.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// `copied` lists the files that are served unchanged, each with its source and its name in dist.
var copied = [][2]string{
	{"remote/index.html", "index.html"},
	{"editor/index.html", "edit.html"},
	{"remote/walls.html", "walls.html"},
	{"shared/manifest.webmanifest", "manifest.webmanifest"},
	{"shared/icon.svg", "icon.svg"},
}

// `licensed` lists the packages whose code is in the bundles.
var licensed = []string{
	"lit", "@mdi/js", "codemirror", "@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-yaml", "@codemirror/language", "@codemirror/lint",
	"@codemirror/search", "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight", "@lezer/lr", "@lezer/yaml",
	"@marijn/find-cluster-break", "crelt", "style-mod", "w3c-keyname",
}

func main() {
	out := "dist"
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	if err := build(out); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func build(out string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := bundle(out); err != nil {
		return err
	}
	for _, c := range copied {
		data, err := os.ReadFile(c[0])
		if err == nil {
			err = os.WriteFile(filepath.Join(out, c[1]), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	for _, side := range []int{192, 512} {
		if err := drawIcon(filepath.Join(out, fmt.Sprintf("icon-%d.png", side)), side); err != nil {
			return err
		}
	}
	if err := writeLicenses(filepath.Join(out, "LICENSES.txt")); err != nil {
		return err
	}
	return packAll(out, out+"-packed")
}

// packAll compresses every file of a folder into another folder. The dashboard embeds the compressed files and sends them in this form.
func packAll(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(data); err != nil {
			return err
		}
		if err := errors.Join(z.Close(), os.WriteFile(filepath.Join(to, e.Name()+".gz"), b.Bytes(), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// bundle writes one script and one style for each page. They run in Safari 15 (2021), Chrome 100 (2022) and later browsers.
func bundle(out string) error {
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "remote/main.ts", OutputPath: "remote"},
			{InputPath: "remote/remote.css", OutputPath: "remote"},
			{InputPath: "remote/spokenpage.ts", OutputPath: "spoken"},
			{InputPath: "remote/spoken.css", OutputPath: "spoken"},
			{InputPath: "remote/walls.ts", OutputPath: "walls"},
			{InputPath: "remote/walls.css", OutputPath: "walls"},
			{InputPath: "editor/main.ts", OutputPath: "editor"},
			{InputPath: "editor/editor.css", OutputPath: "editor"},
			{InputPath: "text/main.ts", OutputPath: "text"},
		},
		Outdir: out, Bundle: true, Write: true, Format: api.FormatESModule, Target: api.ES2021,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		TreeShaking: api.TreeShakingTrue,
	})
	if len(result.Errors) > 0 {
		e := result.Errors[0]
		if e.Location != nil {
			return fmt.Errorf("%s:%d:%d: %s", e.Location.File, e.Location.Line, e.Location.Column, e.Text)
		}
		return fmt.Errorf("%s", e.Text)
	}
	return nil
}

// drawIcon draws shared/icon.svg without round corners, because each phone cuts the icon to a different shape.
func drawIcon(path string, side int) error {
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	fill := func(c color.RGBA, x0, y0, x1, y1 int) { // the coordinates are sixteenths of the inner four fifths of the icon
		at := func(v int) int { return side/10 + v*(side-2*(side/10))/16 }
		draw.Draw(m, image.Rect(at(x0), at(y0), at(x1), at(y1)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{0x14, 0x1a, 0x24, 0xff}), image.Point{}, draw.Src)
	for _, r := range [][4]int{{3, 3, 9, 7}, {11, 3, 13, 7}, {3, 9, 5, 13}, {7, 9, 13, 13}} {
		fill(color.RGBA{0x6e, 0xa8, 0xfe, 0xff}, r[0], r[1], r[2], r[3])
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, m); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// writeLicenses writes the licenses of the bundled packages into a file. A text that several packages share is written once.
func writeLicenses(path string) error {
	names, texts := map[string][]string{}, []string{}
	for _, name := range licensed {
		text, err := os.ReadFile(filepath.Join("node_modules", name, "LICENSE"))
		if err != nil {
			return err
		}
		if names[string(text)] == nil {
			texts = append(texts, string(text))
		}
		names[string(text)] = append(names[string(text)], name)
	}
	var all []byte
	for _, text := range texts {
		all = append(all, strings.Join(names[text], "\n")+"\n\n"+text+"\n"...)
	}
	return os.WriteFile(path, all, 0o644)
}
