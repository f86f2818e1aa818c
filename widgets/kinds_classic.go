package widgets

// classicKinds is the part of the catalog with the kinds of Grydgets.
func classicKinds() []Kind {
	return []Kind{
		loose(define("label", "A line of text above or below its child.", 1, 1, buildLabel)),
		define("pill", "A badge on top of a widget, which may be cut to a circle.", 0, Unlimited, buildPill),
		define("flip", "Shows its children one after the other.", 1, Unlimited, buildFlip),
		define("scheduleflip", "Shows the child that its schedule names for the time of day.", 1, Unlimited, buildScheduleFlip),
		define("dateclock", "The time, and the date below it.", 0, 0, buildDateClock),
		define("empty", "A plain area.", 0, 0, buildEmpty),
		define("httpflip", "Shows the child that an address names.", 1, Unlimited, buildHTTPFlip),
		define("providerflip", "Shows the child that a provider names.", 1, Unlimited, buildProviderFlip),
		define("rest", "What an address answers, as text.", 0, 0, buildRest),
		define("provider", "A value of a provider, as text.", 0, 0, buildProvider),
		define("providerbarchart", "A list of numbers of a provider, as bars.", 0, 0, buildBarChart),
		define("providertemplate", "Values of providers as Home Assistant's templates write them.", 0, 0, buildProviderTemplate),
		define("restimage", "A picture from an address.", 0, 0, buildRestImage),
		define("providerimage", "A picture whose address a provider gives.", 0, 0, buildProviderImage),
		define("notifiabletext", "Its child, and texts sent to it over or in place of it.", 1, 1, buildNotifiableText),
		define("notifiableimage", "Its child, and pictures sent to it in place of it.", 1, 1, buildNotifiableImage),
	}
}
