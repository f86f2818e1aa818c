// Package server is the HTTP side of the dashboard: frames, events, notifications, the theme, health, metrics, and a
// page for people. docs/http.md describes every endpoint.
//
// A request is checked in this order: rate (control routes only), token, feature, arguments, content. Every error is
// JSON. Nothing a caller sends, and no caller however slow, delays a frame: each answer has a write deadline, each
// event subscriber has room for one event, and every count has a bound (limits.go).
package server
