package verb

import (
	"errors"
	"fmt"
	"time"

	"dashboard/control/page"
	"dashboard/control/timer"
)

const (
	// MaxPower is the maximum time of a request to switch the screen. A request without a time lasts until the next request.
	MaxPower = 30 * 24 * time.Hour
	// MaxIdentify is the maximum time for which a wall shows its name.
	MaxIdentify = 10 * time.Minute
	// MaxData is the maximum size in bytes of the data, payload or body that an action sends to another system.
	MaxData = 4 << 10
	// MaxAdjust is the greatest number that a caller can set for an entity. Most entities have narrower limits.
	MaxAdjust = 1e9
	// MaxItem is the maximum length of a task's ID or title, in bytes.
	MaxItem = 512
	// MaxURL is the maximum length of the address of a request, in bytes.
	MaxURL = 8 << 10
)

var (
	// ErrMode is returned for an invalid mode of the theme.
	ErrMode = errors.New("'mode' must be one of: day, night, auto")
	// ErrThemeHold is returned for an invalid hold of the theme.
	ErrThemeHold = errors.New("'hold' must be 'next' (until the sun's next turn) or 'forever'")
	// ErrPower is returned for an invalid state of the screen.
	ErrPower = errors.New("'state' must be one of: on, off, toggle, auto")
	// ErrFor is returned for an invalid time of a request to switch the screen.
	ErrFor = fmt.Errorf("'for' must be seconds above 0, at most %d, only with on, off and toggle", int(MaxPower.Seconds()))
	// ErrBrightness is returned for an invalid brightness.
	ErrBrightness = errors.New("'brightness' must be a share such as \"40%\" or 0.4, or \"auto\"")
	// ErrUpdate is returned for an invalid action of the verb update.
	ErrUpdate = errors.New("'action' must be one of: check, install, back, stable, beta, off")
	// ErrIdentify is returned for an invalid time for which the wall would show its name.
	ErrIdentify = fmt.Errorf("'for' must be seconds above 0, at most %d", int(MaxIdentify.Seconds()))
)

// `all` lists the verbs. For each verb, package control or the field Own of control.Parts has an effect with the name of the verb.
var all = []Verb{
	{
		Name: "page", Help: "Shows a page.",
		Params: []Param{
			{Name: "page", Required: true, Help: "the name of a page, `next`, `previous`, or `auto` to follow the rules"},
			{
				Name: "hold", Kind: Seconds, Max: page.MaxHold.Seconds(), Wrong: page.ErrHold,
				Help: "time until the rules choose again. Default or 0: a page chosen by name stays until `auto`, " +
					"and a page chosen by `next` or `previous` stays for its `dwell`",
			},
		},
		Topics: []Topic{
			{Name: "page/set", Param: "page", Entities: []Entity{
				{
					Name: "page", Platform: "select", Title: "Page", Icon: "mdi:book-open-page-variant", State: "page", Needs: Pages,
					Help: "The current page: `auto`, `next`, `previous` or a name.",
				},
			}},
			{Name: "page/next", Set: Args{"page": "next"}, Help: "Shows the next page.", Entities: []Entity{
				{Name: "next", Platform: "button", Title: "Next page", Icon: "mdi:page-next", Needs: Pages, Help: "Shows the next page."},
			}},
		},
		Short: &Written{Main: "page", Help: "name of a page, `next`, `previous`, `auto`", Same: "`POST /page`"},
	},
	{
		Name: "theme", Help: "Sets the theme: day, night, or by the sun.",
		Params: []Param{
			{Name: "mode", Required: true, Words: []string{"day", "night", "auto", "toggle"}, Wrong: ErrMode, Help: "`auto` follows the sun"},
			{
				Name: "hold", Words: []string{"next", "forever"}, Late: true, Wrong: ErrThemeHold,
				Help: "`next` (default): until the sun's next change; `forever`: until `auto` or the end of the program",
			},
		},
		Routes: []Route{{Method: "POST", Path: "/theme", Needs: "appearance.http_control", Loose: true}, {Method: "POST", Path: "/remote/theme"}},
		Topics: []Topic{{
			Name: "theme/set", Param: "mode", Set: Args{"hold": "forever"},
			Entities: []Entity{{
				Name: "theme", Platform: "select", Title: "Theme", Icon: "mdi:theme-light-dark", State: "theme", Needs: Themes,
				Help: "`day` or `night` if the wall has themes, and `auto` if it has a [`location`](configuration.md#location).",
			}},
		}},
		Short: &Written{Main: "mode", Help: "`day`, `night`, `toggle`, `auto`; until the sun's next change", Same: "`POST /theme`"},
	},
	{
		Name: "power", Help: "Switches the screens.",
		Params: []Param{
			{
				Name: "state", Required: true, Words: []string{"on", "off", "toggle", "auto"}, Wrong: ErrPower,
				Help: "`auto` follows [`display:`](screens.md#on-and-off)",
			},
			{
				Name: "for", Kind: Seconds, Above: true, Max: MaxPower.Seconds(), Wrong: ErrFor,
				Help: "time until `state` becomes `auto`. Default: until the next request or restart. Not with `auto`",
			},
		},
		Topics: []Topic{{Name: "display/set", Param: "state", Entities: []Entity{
			{
				Name: "display", Platform: "light", Title: "Display", Icon: "mdi:monitor-shimmer", State: "display", Needs: Screen,
				Help: "A light: switches the screen and sets its brightness, if there is a `window` output.",
			},
			{
				Name: "auto", Platform: "button", Title: "Display by its rules", Icon: "mdi:monitor-eye", Press: "AUTO", Needs: Screen,
				Help: "Returns the screen to the rules of [`display:`](screens.md#on-and-off) after the light was used.",
			},
		}}},
		Short: &Written{Main: "state", Help: "`on`, `off`, `toggle`, `auto`", Same: "`POST /power`"},
	},
	{
		Name: "brightness", Help: "Sets the brightness of the screens.",
		Params: []Param{{Name: "brightness", Kind: Share, Required: true, Wrong: ErrBrightness, Help: "`auto` follows `display:`"}},
		Topics: []Topic{{Name: "brightness/set", Param: "brightness", Percent: true}},
		Short:  &Written{Main: "brightness", Help: "a share such as `40%`", Same: "`POST /brightness`"},
	},
	{
		Name: "identify", Help: "Shows the wall's name and address in large letters.",
		Params: []Param{{Name: "for", Kind: Seconds, Above: true, Max: MaxIdentify.Seconds(), Wrong: ErrIdentify, Help: "Default: 10"}},
		Topics: []Topic{{Name: "identify", Entities: []Entity{
			{Name: "identify", Platform: "button", Title: "Identify", Class: "identify", Category: "diagnostic"},
		}}},
	},
	{
		Name: "notify", Help: "Shows a notification.",
		Params: []Param{{Name: "body", Kind: Body, Required: true, Long: MaxBody, Help: "the keys of [notifications](notifications.md)"}},
		Topics: []Topic{
			{Name: "notify", Param: "body", Entities: []Entity{{
				Name: "notify", Platform: "notify", Title: "Notify", Needs: Notices,
				Help: "Shows a notification: a text, or a mapping as in [`POST /notify`](notifications.md).",
			}}},
			{Name: "text/set", Param: "body", Entities: []Entity{
				{Name: "text", Platform: "text", Title: "Message", Icon: "mdi:message-text", State: "text", Needs: Notices},
			}},
		},
		Short: &Written{Main: "body", Help: "a notification, such as `{text: Dinner}`", Same: "`POST /notify`"},
	},
	{
		Name: "dismiss", Help: "Ends notifications.",
		Params: []Param{
			{Name: "id", Help: "one notification. Default: all"},
			{Name: "widget", Help: "notifications of one widget. Default: all"},
		},
		Routes: []Route{{Method: "DELETE", Path: "/notify"}, {Method: "DELETE", Path: "/notify/:id"}},
		Topics: []Topic{{Name: "dismiss", Entities: []Entity{
			{Name: "dismiss", Platform: "button", Title: "Dismiss", Icon: "mdi:notification-clear-all", Needs: Notices},
		}}},
		Short: &Written{Main: "id", Help: "`all`, or the id of a notification", Same: "`DELETE /notify`"},
	},
	{
		Name: "choose", Help: "Presses a button of a notification.",
		Params: []Param{
			{Name: "id", Required: true, Help: "the notification"},
			{Name: "action", Kind: Whole, Required: true, Help: "the number of the action, from 1"},
		},
		Routes: []Route{{Method: "POST", Path: "/notify/:id"}},
	},
	{
		Name: "touch", Help: "Touches the wall at a point.",
		Params: []Param{
			{Name: "x", Kind: Number, Required: true, Max: 1, Help: "share of the width, from the left"},
			{Name: "y", Kind: Number, Required: true, Max: 1, Help: "share of the height, from the top"},
			{Name: "gesture", Words: []string{"tap", "double_tap", "hold"}, Help: "Default: `tap`"},
		},
	},
	{
		Name: "adjust", Help: "Sets the number of an entity that `GET /widgets` lists as `slider`.",
		Params: []Param{
			{Name: "entity", Required: true, Help: "such as light.hall"},
			{Name: "provider", Help: "the provider of type homeassistant. Default: the one in conf.yaml"},
			{
				Name: "value", Kind: Number, Required: true, Min: -MaxAdjust, Max: MaxAdjust,
				Help: "number between the limits that `GET /widgets` lists",
			},
		},
	},
	{
		Name: "phone", Help: "Draws a copy of the view in the size of a phone, and returns the copy's name.",
		Params: []Param{
			{Name: "width", Kind: Whole, Required: true, Min: 240, Max: 1400, Help: "width of the phone's page, CSS px"},
			{Name: "height", Kind: Whole, Required: true, Min: 240, Max: 1400, Help: "height of the phone's page, CSS px"},
			{Name: "scale", Kind: Number, Min: 1, Max: 4, Help: "pixels for each CSS px. Default: 1"},
		},
		Routes: []Route{{Method: "POST", Path: "/remote/phone"}},
	},
	{
		Name: "timer", Help: "Starts or stops a timer.", Whole: true,
		Params: []Param{
			{Name: "name", Required: true, Help: "the `name` of a [timer](widgets.md#timer)"},
			{Name: "action", Required: true, Words: []string{"start", "stop", "reset", "toggle"}, Wrong: timer.ErrAction, Help: "what to do"},
			{
				Name: "duration", Kind: Seconds, Above: true, Max: timer.MaxDuration.Seconds(), Wrong: timer.ErrDuration,
				Help: "length of the new run. An action that begins no run ignores this key",
			},
		},
		Topics: []Topic{{Name: "timer/set", Param: "name", Set: Args{"action": "toggle"}}},
		Short: &Written{
			Main: "name", Set: Args{"action": "toggle"}, Help: "name of a timer, which starts or stops", Same: "`POST /timer` with `toggle`",
		},
	},
	{
		Name: "todo", Help: "Completes, reopens or adds a task.", Whole: true,
		Params: []Param{
			{Name: "item", Required: true, Long: MaxItem, Help: "title of the task, or its field `task` in the provider's value"},
			{Name: "action", Words: []string{"add", "done", "open", "toggle"}, Help: "Default: `add`"},
			{Name: "list", Help: "name of a calendar or a provider. Default: all lists, or the first list for a new task"},
			{Name: "by", Help: "name of the person who changes the task"},
		},
		Topics: []Topic{
			{Name: "todo/add", Param: "item", Set: Args{"action": "add"}, Help: "Adds a task.", Payload: "title of the new task"},
			{Name: "todo/done", Param: "item", Set: Args{"action": "done"}, Help: "Completes a task."},
			{Name: "todo/open", Param: "item", Set: Args{"action": "open"}, Help: "Reopens a task."},
		},
		Short: &Written{
			Main: "item", With: []string{"list"}, Help: "title of a task to add, with an optional `list`", Same: "`POST /todo`",
		},
	},
	{
		Name: "reload", Help: "Reads the configuration again.", Whole: true,
		Topics: []Topic{{Name: "reload", Entities: []Entity{
			{Name: "reload", Platform: "button", Title: "Reload", Icon: "mdi:reload", Category: "config"},
		}}},
	},
	{
		Name: "update", Help: "Installs or undoes an [update of the card](image.md#releases-from-a-server), or chooses its channel.", Whole: true,
		Params: []Param{
			{
				Name: "action", Words: []string{"check", "install", "back", "stable", "beta", "off"}, Wrong: ErrUpdate,
				Help: "`check` looks for a release, `install` installs it, `back` returns to the previous version and switches updates off",
			},
			{Name: "window", Help: "new hours for installations, such as `03:00-04:00`"},
		},
		Topics: []Topic{{Name: "update/set", Param: "action", Entities: []Entity{{
			Name: "update", Platform: "update", Title: "Version", Category: "diagnostic", Press: "install", State: "update", Needs: Updates,
			Help: "The version of the wall. With the SD card image, this entity also installs the next version.",
		}}}},
	},
	{
		Name: "take_over", Whole: true,
		Help: "Fetches the files from [`config_url`](configuration.md#config_url) and applies them.",
		Topics: []Topic{{Name: "take_over", Entities: []Entity{
			{Name: "take_over", Platform: "button", Title: "Take over files", Icon: "mdi:download", Category: "config", Needs: Origin},
		}}},
	},
	{
		Name: "action", Help: "Calls an action of Home Assistant.", Allow: Inside, Whole: true,
		Params: []Param{
			{Name: "action", Required: true, Help: "such as light.turn_on"},
			{Name: "entity", Help: "its target"},
			{Name: "data", Kind: Object, Long: MaxData, Help: "its data"},
			{Name: "provider", Help: "Home Assistant or MPD provider. Default: the one in conf.yaml"},
		},
		Short: &Written{
			Main: "action", With: []string{"entity", "data"},
			Help: "action of Home Assistant, such as `light.turn_on`, with optional `entity` and `data`",
		},
	},
	{
		Name: "mqtt", Help: "Sends a message to the broker of conf.yaml.", Allow: Inside, Whole: true,
		Params: []Param{{Name: "topic", Required: true, Help: "without wildcards"}, {Name: "payload", Long: MaxData, Help: "Default: empty"}},
		Short:  &Written{Main: "topic", With: []string{"payload"}, Button: true, Help: "topic of the broker, with an optional `payload`"},
	},
	{
		Name: "url", Help: "Sends a POST request.", Allow: Inside, Whole: true,
		Params: []Param{
			{Name: "url", Required: true, Secret: true, Long: MaxURL, Help: "http or https"},
			{Name: "body", Long: MaxData, Secret: true, Help: "Default: empty"},
		},
		Short: &Written{Main: "url", With: []string{"body"}, Button: true, Help: "address for a POST request, with an optional `body`"},
	},
}
