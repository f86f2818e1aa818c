package programtest

import (
	"time"

	"go.uber.org/goleak"
)

// leakPatience is the time in which the goroutines of a package's tests must end. goleak alone waits less than half a second. The time is
// shorter than the 90 s after which net/http closes an idle connection.
const leakPatience = time.Minute

// MainWithoutLeaks runs the tests of a package and ends the process. It fails if goroutines remain.
func MainWithoutLeaks(m goleak.TestingM) { goleak.VerifyTestMain(patient{m}) }

// patient runs the tests and then waits until their goroutines have ended.
type patient struct{ goleak.TestingM }

// Run implements goleak.TestingM.
func (p patient) Run() int {
	code := p.TestingM.Run()
	if code == 0 {
		_ = Leaks()
	}
	return code
}

// Leaks is like goleak.Find, but it waits longer for the goroutines.
func Leaks(options ...goleak.Option) error {
	for begin := time.Now(); ; {
		err := goleak.Find(options...) // it pauses between its attempts
		if err == nil || time.Since(begin) > leakPatience {
			return err
		}
	}
}
