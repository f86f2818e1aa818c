// Package server is the HTTP server: frames, events, control requests, health, metrics, and the web page. docs/http.md describes
// every endpoint.
//
// Checks run in this order: rate (control routes only), token, feature, arguments, content. Every error is JSON. Requests and slow
// callers never delay a frame: each answer has a write deadline, each event subscriber has room for one event, and every count has
// a limit (limits.go).
package server
