package config

import (
	"net/netip"
	"regexp"
	"strings"
)

// hostWord matches a host name. The server looks up its addresses when it starts.
var hostWord = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// check reports a host that is neither an address nor a host name. "" stands for all addresses.
func (s *Server) check(n *Node, r *Report) {
	host := n.Get("host")
	if _, err := netip.ParseAddr(s.Host); err == nil || s.Host == "" || host == nil {
		return
	}
	if !hostWord.MatchString(s.Host) || strings.Trim(s.Host, "0123456789.") == "" {
		r.Errorf(host, "must be an address of this machine without scheme and port, such as 127.0.0.1, or 0.0.0.0 for all, not %s", host.Shown())
	}
}
