package config

import "regexp"

// placeholder matches a value in a sample file that the user must replace.
var placeholder = regexp.MustCompile(`//([^/?#]*\.)?example\.(org|com|net)([:/?#]|$)|^put-.*-here$|^the-password-of-`)

// WarnPlaceholders warns about values of a sample file that the user must still replace: addresses
// at example.org, and texts such as put-the-password-here. The warnings contain no secrets.
func WarnPlaceholders(n *Node, r *Report) {
	switch n.Kind() {
	case String:
		if !placeholder.MatchString(n.text) {
			return
		}
		if n.secret {
			r.Warnf(n, "%s still has the placeholder of this secret: put your own value there", SecretsName)
			return
		}
		r.Warnf(n, "this is a placeholder: put your own value here")
	case List:
		for _, c := range n.items {
			WarnPlaceholders(c, r)
		}
	case Map:
		for _, p := range n.pairs {
			WarnPlaceholders(p.Value, r)
		}
	}
}
