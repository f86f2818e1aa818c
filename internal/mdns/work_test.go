package mdns

import "testing"

// TestManyKnown answers a packet with the maximum number of questions and of known answers. The work must not grow with the product of
// these numbers.
func TestManyKnown(t *testing.T) {
	w := settled(t)
	data := []byte{0, 0, 0, 0, 0, maxQuestions, 0, maxRecords - 1, 0, 0, 0, 0}
	data = append(data, wireName(w.full(&w.o.Services[0]))...)
	data = append(data, 0, 255, 0, 1)
	for range maxQuestions - 1 {
		data = append(data, 0xc0, 12, 0, 255, 0, 1) // a question for the same name, of any kind
	}
	for range maxRecords - 1 {
		data = append(data, 0xc0, 12, 0, 16, 0, 1, 0, 0, 255, 255, 0, 1, 0) // a record with a text
	}
	if m, err := parse(data); err != nil || len(m.questions) != maxQuestions || len(m.answers) != maxRecords-1 {
		t.Fatal("the packet is not read: ", err)
	}
	const most = 8000 // allocations. If each pair of a question and an answer caused an allocation, there would be tens of thousands
	if n := testing.AllocsPerRun(3, func() { w.handle(packet{2, near, data}, w.now) }); n > most {
		t.Errorf("took %.0f pieces of memory, want at most %d", n, most)
	} else {
		t.Logf("took %.0f pieces of memory", n)
	}
}
