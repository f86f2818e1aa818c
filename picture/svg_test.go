package picture

var svgSeeds []string
