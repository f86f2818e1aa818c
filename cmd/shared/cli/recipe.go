package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A recipeVerb is a subcommand of recipe. `least` and `most` are the minimum and the maximum number of its arguments.
type recipeVerb struct {
	name, word  string
	least, most int
}

var recipeVerbs = []recipeVerb{
	{"list", "", 0, 0}, {"show", "NAME", 1, 1}, {"add", "SOURCE", 1, 1}, {"update", "SOURCE", 1, 1}, {"remove", "NAME", 1, 1},
	{"test", "[NAME]", 0, 1}, {"new", "NAME", 1, 1}, {"import", "FILE", 1, 1},
}

// recipe returns the command for recipes, which are widgets that people share with each other.
func (o *Options) recipe() *cobra.Command {
	var names []string
	for _, v := range recipeVerbs {
		names = append(names, v.name)
	}
	c := &cobra.Command{
		Use: "recipe VERB [options] [NAME]", Short: "List, add, make and test recipes", ValidArgs: names,
		Long: "List, add, make and test recipes.\n\nA recipe is a widget with its sources and a few parameters. It is in " +
			"the wall's folder recipes, or in the program.\n\nlist lists all recipes. show prints the parameters and " +
			"hosts of a recipe. add copies a recipe into the wall's folder: from a folder, a zip file, the address " +
			"of a zip file, or by its name in the catalogue of conf.yaml. update lists the changes, hosts first, and " +
			"with --yes replaces the recipe. remove deletes a recipe that the wall does not use. test draws a recipe, or all " +
			"recipes of the wall, with the recorded answers. new makes a recipe of a widget of the wall, without its " +
			"secrets. import makes recipes of the custom-api widgets in a Glance file.",
		Example: "  dashboard recipe show departures-germany   list its parameters\n" +
			"  dashboard recipe test -o sheet.png mine    draw a recipe\n" +
			"  dashboard recipe new --widget prices mine  make a recipe of a widget",
		RunE: o.runRecipe,
		Args: cobra.ArbitraryArgs,
	}
	o.place(c)
	c.Flags().BoolVar(&o.Yes, "yes", false, "update replaces the recipe")
	c.Flags().StringVar(&o.Made, "widget", "", "`NAME` of the widget for the new recipe")
	c.Flags().StringVarP(&o.Sheet, "output", "o", "", "PNG `FILE` for the drawing of the tested recipe")
	return c
}

// runRecipe reads the arguments of the command recipe.
func (o *Options) runRecipe(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s: VERB is missing: one of %s", c.UseLine(), strings.Join(c.ValidArgs, ", "))
	}
	i := slices.IndexFunc(recipeVerbs, func(v recipeVerb) bool { return v.name == args[0] })
	if i < 0 {
		return noWord(args[0], c.ValidArgs)
	}
	switch v := recipeVerbs[i]; {
	case len(args)-1 < v.least:
		return fmt.Errorf("dashboard recipe %s: %s is missing", v.name, v.word)
	case len(args)-1 > v.most:
		return fmt.Errorf("unexpected argument %q; it is: dashboard recipe %s %s", args[v.most+1], v.name, v.word)
	}
	o.Command, o.Verb, o.Name = "recipe", args[0], strings.Join(args[1:], "")
	return nil
}
