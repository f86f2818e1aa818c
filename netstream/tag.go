package netstream

import (
	"strconv"
	"strings"
)

// baseDigits is the number of hexadecimal digits of the frame's 64-bit hash in a tag.
const baseDigits = 16

// appendBase appends a frame's tag without size and quotes to dst.
func appendBase(dst []byte, base uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, digits[base>>shift&15])
	}
	return dst
}

// longestTag is the length of the longest tag, including the quotes. Such a tag has two sides of four digits each.
const longestTag = baseDigits + len(`"-7680x7680"`)

// tagOf returns the entity tag of a frame in a size, in quotes: `"<base>-WxH"`. If no size was requested, it returns `"<base>"`.
func tagOf(base uint64, w, h int) string {
	b := append(make([]byte, 0, longestTag), '"')
	b = appendBase(b, base)
	b = appendSize(b, w, h)
	return string(append(b, '"'))
}

func appendSize(dst []byte, w, h int) []byte {
	if w == 0 {
		return dst
	}
	dst = strconv.AppendInt(append(dst, '-'), int64(w), 10)
	return strconv.AppendInt(append(dst, 'x'), int64(h), 10)
}

// baseOf returns the frame's hash in a tag. `ok` is false if the tag is not for the given size.
func baseOf(tag string, w, h int) (uint64, bool) {
	if len(tag) < baseDigits+2 {
		return 0, false
	}
	base, err := strconv.ParseUint(tag[1:baseDigits+1], 16, 64)
	return base, err == nil && tag == tagOf(base, w, h)
}

// matches() reports whether an If-None-Match header is * or contains the tag in its list. It uses the weak comparison (RFC 9110, sections
// 8.8.3.2 and 13.1.2). It ignores everything after a malformed part.
func matches(header, tag string) bool {
	if strings.Trim(header, " \t") == "*" {
		return true
	}
	for header != "" {
		var t string
		if t, _, header = cutTag(header); t == tag {
			return true
		}
	}
	return false
}

// cutTag splits the first entity tag off a list (RFC 9110, sections 5.6.1 and 8.8.3). `tag` is in quotes, without a leading W/. `weak`
// reports whether the tag had a leading W/. At the end of the list or at a malformed part, `tag` and `rest` are empty.
func cutTag(list string) (tag string, weak bool, rest string) {
	list = strings.TrimLeft(list, " \t,")
	list, weak = strings.CutPrefix(list, "W/")
	if !strings.HasPrefix(list, `"`) {
		return "", false, ""
	}
	end := strings.IndexByte(list[1:], '"') + 2
	if end < 2 {
		return "", false, ""
	}
	rest = strings.TrimLeft(list[end:], " \t")
	if rest != "" && rest[0] != ',' {
		return "", false, ""
	}
	return list[:end], weak, rest
}
