package main

import (
	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/recipes"
)

// useSchema describes the widget that uses a recipe.
func useSchema() (schema, error) {
	report, common := &config.Report{}, schema{}
	for key := range commonSchemas() {
		common[key] = schema{"$ref": "#/definitions/" + commonKey + key}
	}
	return recipe.UseSchema((&recipe.Library{BuiltIn: recipes.Files()}).All(report), common), report.Err()
}
