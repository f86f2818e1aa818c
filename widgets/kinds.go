package widgets

// NewBuilder returns a builder of one tree.
func NewBuilder(e Env) *Builder { return newBuilder(e, All()) }

// All is the whole catalog.
func All() Catalog { return Catalog{Kinds: Kinds(), Layers: layers, Sparkline: sparkline} }

// Kinds is the catalogue, in the order of the reference.
func Kinds() []Kind { return append(modernKinds(), classicKinds()...) }

// modernKinds are those that the look draws.
func modernKinds() []Kind {
	return []Kind{
		modern("layout", "Areas named by words, and the children that fill them.", 1, Unlimited, framing{}, func(p *LayoutParams) *Framed { return &p.Framed }, buildLayout),
		modern("row", "Children side by side.", 0, Unlimited, framing{}, func(p *RowParams) *Framed { return &p.Framed }, buildRow),
		modern("column", "Children one below another.", 0, Unlimited, framing{}, func(p *RowParams) *Framed { return &p.Framed }, buildColumn),
		modern("stack", "Children over each other, the last on top.", 0, Unlimited, framing{bleed: true}, func(p *StackParams) *Framed { return &p.Framed }, buildStack),
		modern("pages", "Shows its children in turn, each while its condition holds.", 1, Unlimited, framing{bleed: true, passes: true}, func(p *PagesParams) *Framed { return &p.Framed }, buildPages),
		modern("card", "A value with its title, and other widgets below it.", 0, Unlimited, framing{card: true}, func(p *CardParams) *Framed { f := p.Framed; f.blur = p.Blur; return &f }, buildCard),
		modern("space", "Nothing, with a share of the room or a size.", 0, 0, framing{}, nil, buildSpace),
		textKind(),
		modern("list", "Rows of texts and values, written out or one for each entry of a list.", 0, 0, framing{card: true}, func(p *ListParams) *Framed { return &p.Framed }, buildList),
		modern("table", "A list of values in rows and columns.", 0, 0, framing{card: true}, func(p *TableParams) *Framed { return &p.Framed }, buildTable),
		modern("ticker", "A line of text that runs when it does not fit.", 0, 0, framing{padded: true}, func(p *TickerParams) *Framed { return &p.Framed }, buildTicker),
		modern("markdown", "A text with headings, lists, tasks, tables and code, in Markdown.", 0, 0, framing{card: true}, func(p *MarkdownParams) *Framed { return &p.Framed }, buildMarkdown),
		modern("photos", "The photos of a folder, one after another.", 0, 0, framing{bleed: true, round: true}, func(p *PhotosParams) *Framed { return &p.Framed }, buildPhotos),
		modern("qr", "A code that telephones read: a text, an address, a network or a contact.", 0, 0, framing{card: true}, func(p *QRParams) *Framed { return &p.Framed }, buildQR),
		modern("icon", "One icon, as large as fits.", 0, 0, framing{}, func(p *IconParams) *Framed { f := p.Framed; f.Icon = nil; return &f }, buildIcon),
		modern("camera", "The pictures of a camera; the last one stays, with its age.", 0, 0, framing{bleed: true, round: true}, func(p *CameraParams) *Framed { return &p.Framed }, buildCamera),
		modern("clock", "The time in large figures, and the date.", 0, 0, framing{padded: true}, func(p *ClockParams) *Framed { return &p.Framed }, buildClock),
		modern("countdown", "How long it is until a moment or an event.", 0, 0, framing{card: true}, func(p *CountdownParams) *Framed { return &p.Framed }, buildCountdown),
		modern("timer", "A timer that runs down, or a stopwatch.", 0, 0, framing{card: true}, func(p *TimerParams) *Framed { return &p.Framed }, buildTimer),
		modern("chart", "Numbers over time or over names: lines, areas, bars, steps, points.", 0, 0, framing{card: true}, func(p *ChartParams) *Framed { return &p.Framed }, buildChart),
		modern("heatmap", "A year of days or a week of hours, each as strong as its number.", 0, 0, framing{card: true}, func(p *HeatmapParams) *Framed { return &p.Framed }, buildHeatmap),
		modern("gauge", "A number on an arc, a ring or a bar.", 0, 0, framing{card: true}, func(p *GaugeParams) *Framed { return &p.Framed }, buildGauge),
		modern("progress", "How much of something is done: a bar, a ring or steps.", 0, 0, framing{padded: true}, func(p *ProgressParams) *Framed { return &p.Framed }, buildProgress),
		modern("agenda", "The events of calendars in the days to come.", 0, 0, framing{card: true}, func(p *AgendaParams) *Framed { return &p.Framed }, buildAgenda),
		modern("nextevent", "The event under way or the next one; or the sign of a room, free or busy.", 0, 0, framing{card: true}, func(p *NextEventParams) *Framed { return &p.Framed }, buildNextEvent),
		modern("week", "Days, or calendars, side by side, with their events hour by hour.", 0, 0, framing{card: true}, func(p *WeekParams) *Framed { return &p.Framed }, buildWeek),
		modern("month", "The days of the month, today marked, with events of calendars.", 0, 0, framing{card: true}, func(p *MonthParams) *Framed { return &p.Framed }, buildMonth),
		modern("weather", "The weather now, of the hours and days that come, and warnings.", 0, 0, framing{card: true}, func(p *WeatherParams) *Framed { return &p.Framed }, buildWeather),
		modern("airquality", "What the air holds: an index, pollen, the UV index.", 0, 0, framing{card: true}, func(p *AirParams) *Framed { return &p.Framed }, buildAir),
		modern("moon", "The moon as it looks today, and when it is full and new.", 0, 0, framing{card: true}, func(p *MoonParams) *Framed { return &p.Framed }, buildMoon),
		modern("sunpath", "How long the day is, and the sun on its way.", 0, 0, framing{card: true}, func(p *SunpathParams) *Framed { return &p.Framed }, buildSunpath),
	}
}

// classicKinds are Grydgets'.
func classicKinds() []Kind {
	return []Kind{
		define("screen", "The whole picture: a background and the widget that fills it.", 1, 1, buildScreen),
		define("grid", "Rows and columns of cells, filled column by column.", 0, Unlimited, buildGrid),
		loose(define("label", "A line of text above or below its child.", 1, 1, buildLabel)),
		define("pill", "A badge on top of a widget, which may be cut to a circle.", 0, Unlimited, buildPill),
		define("flip", "Shows its children one after the other.", 1, Unlimited, buildFlip),
		define("scheduleflip", "Shows the child that its schedule names for the time of day.", 1, Unlimited, buildScheduleFlip),
		define("dateclock", "The time, and the date below it.", 0, 0, buildDateClock),
		define("image", "A picture from a file.", 0, 0, buildImage),
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
