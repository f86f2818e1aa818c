package derive

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Where nothing is promised the age is that of the oldest value.
func TestAgeIsThatOfTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 3, false)
		now := time.Now()
		r.from[0].Publish(1, now)
		r.from[1].Publish(1, now.Add(-time.Hour))
		r.from[2].Publish(1, now.Add(-time.Minute))
		if s := r.load(); !s.At.Equal(now.Add(-time.Hour)) || s.Interval != 0 {
			t.Errorf("got %+v, want the age of the oldest", s)
		}
	})
}

// A value that cannot be made is not made good by its source saying the same again.
func TestConfirmDoesNotMakeGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, false)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		at := r.load().At
		time.Sleep(time.Minute)
		r.from[0].Confirm(time.Now())
		if s := r.load(); !errors.Is(s.Err, errBad) || !s.At.Equal(at) {
			t.Errorf("got %+v, want the failure and its age", s)
		}
	})
}

// A source that is well again makes the value good, also where another one is the older of them.
func TestConfirmOfTheYounger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 2, false)
		r.from[0].Publish(1, time.Now())
		time.Sleep(time.Minute)
		r.from[1].Publish(2, time.Now())
		synctest.Wait()
		r.from[1].Fail(errBad, time.Now())
		if s := r.load(); !errors.Is(s.Err, errBad) {
			t.Fatalf("got %+v, want the failure", s)
		}
		r.from[1].Confirm(time.Now())
		if s := r.load(); s.Err != nil {
			t.Errorf("well again: got %v", s.Err)
		}
	})
}

// Another value begins its own pauses: what failed for long before does not hold up its second attempt.
func TestAnotherValueStartsPausesAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, 1, true)
		r.fail.Store(true)
		r.from[0].Publish(1, time.Now())
		time.Sleep(time.Hour)
		synctest.Wait()
		r.from[0].Publish(2, time.Now())
		synctest.Wait()
		made := r.made.Load()
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if r.made.Load() == made {
			t.Error("the second attempt for another value waits as long as the last for the one before")
		}
	})
}
