package client

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
)

// reasonOf returns a short text for the screen about a connection that has failed. The log has the whole error.
func reasonOf(err error) string {
	var name *net.DNSError
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "the network has no host of this name"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no program listens at this port"
	case errors.Is(err, errSlow), errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer"
	}
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return strings.ToValidUTF8(err.Error()[:min(len(err.Error()), maxMessage)], "")
}
