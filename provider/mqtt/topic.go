package mqtt

import (
	"errors"
	"fmt"
	"strings"
)

// Match reports whether a topic matches a filter (MQTT 5.0, section 4.7).
func Match(filter, topic string) bool {
	if strings.HasPrefix(topic, "$") && !strings.HasPrefix(filter, "$") {
		return false
	}
	for {
		f, restF, moreF := strings.Cut(filter, "/")
		t, restT, moreT := strings.Cut(topic, "/")
		switch {
		case f == "#":
			return true
		case f != "+" && f != t:
			return false
		case !moreT:
			return !moreF || restF == "#"
		case !moreF:
			return false
		}
		filter, topic = restF, restT
	}
}

// CheckFilter returns an error if a filter of topics is invalid.
func CheckFilter(filter string) error {
	if filter == "" || len(filter) > maxTopic || strings.ContainsRune(filter, 0) {
		return fmt.Errorf("must be a topic of at most %d bytes", maxTopic)
	}
	parts := strings.Split(filter, "/")
	for i, p := range parts {
		if strings.Contains(p, "#") && (p != "#" || i != len(parts)-1) {
			return errors.New("has a # that is not alone at the end, after a slash")
		}
		if strings.Contains(p, "+") && p != "+" {
			return errors.New("has a + that is not alone between slashes")
		}
	}
	return nil
}

// CheckTopic returns an error if a message cannot be published on a topic.
func CheckTopic(topic string) error {
	if topic == "" || len(topic) > maxTopic || strings.ContainsAny(topic, "+#\x00") {
		return fmt.Errorf("must have at most %d bytes, and neither + nor #", maxTopic)
	}
	return nil
}

// Wild reports whether a filter contains a wildcard, so that it may match several topics.
func Wild(filter string) bool { return strings.ContainsAny(filter, "+#") }
