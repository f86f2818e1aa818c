// Package classic contains the widgets of Grydgets, another dashboard program, whose files this program can use.
package classic

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Loose(kit.Define("label", "A line of text above or below its child.", 1, 1, buildLabel)),
		kit.Define("pill", "A badge on top of a widget. The widget may be cut to a circle.", 0, kit.Unlimited, buildPill),
		kit.Define("flip", "Shows its children one after the other.", 1, kit.Unlimited, buildFlip),
		kit.Define("scheduleflip", "Shows the child that `schedule` assigns to the time of day.", 1, kit.Unlimited, buildScheduleFlip),
		kit.Define("dateclock", "The time, and the date below it.", 0, 0, buildDateClock),
		kit.Define("empty", "A plain area.", 0, 0, buildEmpty),
		kit.Define("httpflip", "Shows the child that `mapping` assigns to the value at an HTTP address.", 1, kit.Unlimited, buildHTTPFlip),
		kit.Define("providerflip", "Shows the child that `mapping` assigns to the value of a provider.", 1, kit.Unlimited, buildProviderFlip),
		kit.Define("rest", "The answer of an HTTP server, as text.", 0, 0, buildRest),
		kit.Define("provider", "A value of a provider, as text.", 0, 0, buildProvider),
		kit.Define("providerbarchart", "A list of numbers of a provider, as bars.", 0, 0, buildBarChart),
		kit.Define("providertemplate", "Result of a Home Assistant template, which can use values of providers.", 0, 0, buildProviderTemplate),
		kit.Define("restimage", "A picture from an address.", 0, 0, buildRestImage),
		kit.Define("providerimage", "A picture whose address comes from a provider.", 0, 0, buildProviderImage),
		kit.Define("notifiabletext", "Shows a child, and texts that are sent to the widget.", 1, 1, buildNotifiableText),
		kit.Define("notifiableimage", "Shows a child, and pictures that are sent to the widget.", 1, 1, buildNotifiableImage),
	}
}
