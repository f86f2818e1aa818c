package wall

import (
	"strings"
	"testing"
)

// An address that comes from a secret is never shown, not even its host. For other addresses, only the scheme and the host are shown.
func TestSecretAddresses(t *testing.T) {
	port := freePort(t)
	f := files{
		"conf.yaml": wallConf(port, "  - {type: post, url: !secret bot, min_interval: 1, after_post: {url: !secret bot}}\n"+
			"  - {type: post, url: 'http://127.0.0.1:1/pathofopen', min_interval: 1}\nlogging: {level: debug}\n"),
		"providers.yaml": "providers:\n  hidden: {type: rest, url: !secret bot, update_interval: 1}\n" +
			"  open: {type: rest, url: 'http://127.0.0.1:1/pathofopen?key=1', update_interval: 1}\n  here: {type: system}\n",
		"widgets.yaml": "widgets:\n  - {widget: rest, url: !secret bot, format_string: '{}', show_errors: true}\n" +
			"  - {widget: restimage, url: !secret bot}\n  - {widget: providertemplate, providers: [here], template: '{{ 1 }}', hass_url: !secret bot, hass_token: x}\n  - {widget: provider, providers: [open], format_string: '{value}', show_errors: true}\n",
		"secrets.yaml": "bot: http://very-secret-host.invalid:1/botSECRET/x\n",
	}
	f["widgets.yaml"] = strings.Replace(f["widgets.yaml"], "widgets:\n", "widgets:\n  - widget: grid\n    rows: 1\n    columns: 4\n    children:\n", 1)
	f["widgets.yaml"] = strings.ReplaceAll(f["widgets.yaml"], "\n  - {", "\n      - {")
	p := start(t, port, f)
	eventually(t, "both sources have failed", func() bool {
		text := p.text("/healthz")
		return strings.Count(text, "(secret address)") >= 5 && strings.Count(text, "127.0.0.1:1") >= 2
	})
	for _, path := range []string{"/healthz", "/widgets", "/metrics", "/"} {
		checkNoSecret(t, path, p.text(path))
	}
	checkNoSecret(t, "the log", p.log.String())
}

func checkNoSecret(t *testing.T, where, text string) {
	t.Helper()
	for _, part := range []string{"very-secret-host", "botSECRET", "pathofopen"} {
		if strings.Contains(text, part) {
			t.Errorf("%s shows %s: %s", where, part, text)
		}
	}
}
