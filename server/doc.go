// Package server is the HTTP server: frames, events, control requests, health, metrics, and the web page. docs/http.md describes every
// endpoint.
//
// A request is checked in this order: rate (only for control), token, feature, arguments, content. Every error is JSON.
//
// Requests and slow callers never delay a frame. Each answer has a write deadline, each subscriber of events has room for one event, and
// every number has a limit (limits.go).
package server
