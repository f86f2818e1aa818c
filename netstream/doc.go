// Package netstream turns frames into what a network serves: published pictures of any size, their changed tiles, and
// the events that announce them. It knows nothing of HTTP routing.
package netstream
