// Package server is the HTTP server: frames, events, control requests, health, metrics, and the web page. docs/http.md describes every
// endpoint.
//
// A request is checked in this order: rate (only for control), token, feature, arguments, content. Every error is JSON.
//
// Requests and slow callers never delay a frame. Each answer has a write deadline, at most one
// event waits for each subscriber, and every quantity has a limit (limits.go).
package server
