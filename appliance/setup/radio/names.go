//go:build linux

package radio

import (
	"context"
	"net"
	"net/netip"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// maxQuestion is the maximum size of a question (RFC 1035, section 2.3.4).
	maxQuestion = 512
	// answerSeconds is the time for which a phone caches an answer. It is short, because the phone must ask again in the home
	// network.
	answerSeconds = 5
)

// ServeNames answers every question for the IPv4 address of a name with the board's address, and other questions with an empty answer. A
// phone in the access point therefore opens the set-up's page at every address. ServeNames calls `asked` for each question, and returns
// when ctx ends.
func ServeNames(ctx context.Context, conn net.PacketConn, address netip.Addr, asked func()) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // closing conn makes ReadFrom return
	defer stop()
	buffer := make([]byte, maxQuestion)
	for {
		n, from, err := conn.ReadFrom(buffer)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if answer := answerTo(buffer[:n], address); answer != nil {
			asked()
			_, _ = conn.WriteTo(answer, from) // if the answer is lost, the phone sends its query again
		}
	}
}

// answerTo returns the answer to a question, or nil if the data is not a question.
func answerTo(question []byte, address netip.Addr) []byte {
	var p dnsmessage.Parser
	head, err := p.Start(question)
	if err != nil || head.Response || head.OpCode != 0 {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	reply := dnsmessage.Header{ID: head.ID, Response: true, Authoritative: true, RecursionDesired: head.RecursionDesired}
	b := dnsmessage.NewBuilder(nil, reply)
	b.EnableCompression()
	if b.StartQuestions() != nil || b.Question(q) != nil || b.StartAnswers() != nil {
		return nil
	}
	if q.Type == dnsmessage.TypeA && q.Class == dnsmessage.ClassINET {
		r := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: answerSeconds}
		if b.AResource(r, dnsmessage.AResource{A: address.As4()}) != nil {
			return nil
		}
	}
	answer, err := b.Finish()
	if err != nil {
		return nil
	}
	return answer
}
