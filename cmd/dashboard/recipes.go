package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"strings"
	"syscall"

	"dashboard/config"
	"dashboard/config/cookbook"
	"dashboard/config/recipe"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider/ask"
	"dashboard/provider/rest"
	"dashboard/wall/daemon"
	"dashboard/wall/scene"
)

// takeRecipe adds a recipe to a wall or updates a recipe. Without the option --yes, an update only prints the changes.
func takeRecipe(ctx context.Context, o *options, home string, stdout io.Writer) error {
	f := cookbook.Finder{Client: fetch.New(nil), Catalogue: catalogueOf(home)}
	b, err := f.Find(ctx, o.Name)
	if err != nil {
		return err
	}
	name := b.Recipe.Name
	old, missing := cookbook.Installed(home, name)
	switch {
	case o.Verb == "add" && missing == nil:
		return fmt.Errorf("the recipe '%s' is there already; 'dashboard recipe update' shows the changes", name)
	case o.Verb == "update" && missing != nil:
		return missing
	case o.Verb == "update":
		changes := cookbook.Changes(old, b)
		if len(changes) == 0 {
			fmt.Fprintf(stdout, "%s: no change\n", name)
			return nil
		}
		fmt.Fprintf(stdout, "%s:\n  %s\n", name, strings.Join(changes, "\n  "))
		if !o.Yes {
			fmt.Fprintln(stdout, "Nothing was changed. Add --yes to replace the recipe.")
			return nil
		}
	}
	return install(b, home, stdout)
}

func install(b *cookbook.Bundle, home string, stdout io.Writer) error {
	if err := b.Install(home); err != nil {
		return notWritten(err)
	}
	r := b.Recipe
	hosts := strings.Join(append(r.Hosts, "no other host"), ", ")
	fmt.Fprintf(stdout, "%s/%s: %s %s, asks %s\n", recipe.Dir, r.Name, r.Title, r.Version, hosts)
	return nil
}

// notWritten adds a next step to an error about a read-only folder. On an appliance, the folder of the wall is read-only.
func notWritten(err error) error {
	if errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: add the recipe on a laptop, in the folder dashboard of the card's drive DASHBOARD", err)
	}
	return err
}

// catalogueOf returns the address of the recipe catalogue in conf.yaml, or "".
func catalogueOf(home string) string {
	files := folder.Dir(home)
	c, ok := config.LoadConf(files, config.ConfName, &config.Report{}, daemon.Secrets(files))
	if !ok {
		return ""
	}
	return c.Catalogue
}

// removeRecipe deletes a recipe from the wall's folder, unless the wall uses it.
func removeRecipe(o *options, home string, stdout io.Writer) error {
	if at := cookbook.UsedAt(folder.Dir(home), o.Name); at != "" {
		return fmt.Errorf("the recipe '%s' is used at %s", o.Name, at)
	}
	if err := cookbook.Remove(home, o.Name); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s/%s is removed\n", recipe.Dir, o.Name)
	return nil
}

// importRecipes creates recipes from the widgets in a Glance file.
func importRecipes(file, home string, stdout io.Writer) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	all, err := cookbook.Glance(file, data)
	if err != nil {
		return err
	}
	for _, b := range all {
		if _, err := cookbook.Installed(home, b.Recipe.Name); err == nil {
			fmt.Fprintf(stdout, "%s is there already and stays\n", b.Recipe.Name)
			continue
		}
		if err := install(b, home, stdout); err != nil {
			return err
		}
	}
	return nil
}

// newRecipe creates a recipe from a widget of the wall. It sends requests to the sources of the
// widget, and adds their answers to the recipe.
func newRecipe(ctx context.Context, o *options, home string, stdout io.Writer) error {
	if o.Made == "" {
		return errors.New("recipe new: --widget is missing: the name of a widget")
	}
	files := folder.Dir(home)
	seen := &scene.SeenSecrets{}
	d, err := cookbook.FromWall(files, o.Name, o.Made, seen.Watch(daemon.Secrets(files)))
	if err != nil {
		return err
	}
	if _, err := cookbook.Installed(home, o.Name); err == nil {
		return fmt.Errorf("the recipe '%s' is there already", o.Name)
	}
	answers := map[string][]byte{}
	for i, def := range d.Providers {
		name, data, err := answerOf(ctx, d.Names[i], def)
		if err != nil {
			fmt.Fprintf(stdout, "%s: no answer is recorded: %v\n", d.Names[i], err)
			continue
		}
		answers[name] = []byte(seen.Mask().Replace(string(data)))
	}
	b, err := d.Bundle(answers)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "Look through the answers before you share them: they are yours.")
	return install(b, home, stdout)
}

// answerOf sends the request of a provider to its source. It returns the body of the answer, and the name of the file in which the recipe
// stores the body.
func answerOf(ctx context.Context, provider string, def *config.Node) (name string, data []byte, err error) {
	var p rest.Params
	report := &config.Report{}
	if !def.Decode(&p, report, &config.DecodeOptions{Others: true}) || p.URL == "" {
		return "", nil, errors.New("it does not have exactly one address")
	}
	c, err := p.Config(ask.Deps{})
	if err != nil {
		return "", nil, err
	}
	resp, err := fetch.New(nil).Do(ctx, &c.Request)
	if err != nil {
		return "", nil, err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return "", nil, err
	}
	return provider + ending(resp.ContentType), resp.Body, nil
}

// ending() returns the file name extension for a content type.
func ending(contentType string) string {
	kind, _, _ := mime.ParseMediaType(contentType)
	for part, end := range map[string]string{"json": ".json", "calendar": ".ics", "xml": ".xml", "csv": ".csv", "html": ".html"} {
		if strings.Contains(kind, part) {
			return end
		}
	}
	return ".txt"
}
