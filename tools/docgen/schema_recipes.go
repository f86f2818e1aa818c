package main

import (
	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/recipes"
)

// useSchema describes the widget that uses a recipe.
func useSchema() (schema, error) {
	files, err := recipes.Files()
	if err != nil {
		return nil, err
	}
	report, common := &config.Report{}, schema{}
	for key := range commonSchemas() {
		common[key] = schema{"$ref": "#/definitions/" + commonKey + key}
	}
	return recipe.UseSchema((&recipe.Library{BuiltIn: files}).All(report), common), report.Err()
}
