package main

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dashboard/appliance/card"
	"dashboard/tools/command"
)

// recipeFiles is a wall with a recipe in its folder recipes.
//
//go:embed recipe
var recipeFiles embed.FS

// testRecipe copies a wall with a recipe to the card's drive. The copy has long file names and a hidden file next to each file, as a copy
// made by macOS has. The board reads the recipe from the drive and shows the expected picture.
func (t *tester) testRecipe(ctx context.Context) error {
	folder := filepath.Join(t.kit.dir, "recipe-wall")
	files, err := fs.Sub(recipeFiles, "recipe")
	if err != nil {
		return err
	}
	conf, err := wallFiles.ReadFile("wall/" + confName)
	if err = errors.Join(err, os.CopyFS(folder, files), os.WriteFile(filepath.Join(folder, confName), conf, 0o644)); err != nil {
		return err
	}
	on, kit := *t, *t.kit
	on.kit = &kit
	if kit.want, err = kit.paintFolder(ctx, folder); err != nil {
		return err
	}
	const recipe = "recipes/visitor-of-the-reception"
	for _, name := range []string{".DS_Store", recipe + "/._recipe.yaml", recipe + "/._widgets.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"), 0o644); err != nil {
			return err
		}
	}
	kit.image = filepath.Join(kit.dir, "recipe.img")
	if _, err := command.Run(ctx, nil, "cp", "--sparse=always", t.kit.image, kit.image); err != nil {
		return err
	}
	entries, err := filepath.Glob(folder + "/*")
	hidden := filepath.Join(folder, ".DS_Store")
	args := append([]string{"-s", "-o", "-i", firstOf(kit.image)}, append(entries, hidden, "::"+card.ConfigFolder+"/")...)
	if err != nil {
		return err
	}
	if _, err := command.Run(ctx, nil, "mcopy", args...); err != nil {
		return err
	}
	d, done, err := on.disk()
	if err != nil {
		return err
	}
	defer done()
	m, err := on.startShown(ctx, d, "recipe", alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	return t.keep(m, "recipe")
}
