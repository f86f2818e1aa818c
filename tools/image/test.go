package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// testOptions are those of "image test".
type testOptions struct {
	machine, pictures, only string
	cuts                    int
	seed                    uint64
}

func (o *testOptions) flags(f *flag.FlagSet) {
	f.StringVar(&o.machine, "machine", "virt", "`name` of QEMU's machine: virt or raspi3b")
	f.StringVar(&o.pictures, "pictures", "", "`folder` for the pictures and logs; without it a new one")
	f.StringVar(&o.only, "only", "", "comma-separated `names` of the tests: boot, cuts, update, broken, client")
	f.IntVar(&o.cuts, "cuts", 4, "`rounds` of the power cut test, each a start")
	f.Uint64Var(&o.seed, "seed", 1, "of the moments of the cuts")
}

// A tester has what all tests need.
type tester struct {
	options
	dir  string // of pictures and logs
	say  func(string, ...any)
	rand *rand.Rand
	kit  *kit
}

// tests are all there are, in their order.
var tests = []struct {
	name, what string
	do         func(*tester, context.Context) error
}{
	{"boot", "boots to its picture", (*tester).testBoot},
	{"cuts", "comes back after every power cut", (*tester).testCuts},
	{"update", "takes an update over, across a power cut", (*tester).testUpdate},
	{"broken", "falls back from an update that does not paint", (*tester).testBroken},
	{"client", "shows another machine's dashboard", (*tester).testClient},
}

// test boots the image that build has made.
func test(ctx context.Context, o options, say func(string, ...any)) error {
	if err := check(needs, testNeeds); err != nil {
		return err
	}
	t := &tester{options: o, say: say, dir: o.test.pictures, rand: rand.New(rand.NewPCG(o.test.seed, 0))}
	var err error
	if t.dir == "" {
		t.dir, err = os.MkdirTemp("", "image-test-")
	} else if t.dir, err = filepath.Abs(t.dir); err == nil {
		err = os.MkdirAll(t.dir, 0o755)
	}
	if err != nil {
		return err
	}
	if t.kit, err = t.prepare(ctx); err != nil {
		return err
	}
	defer os.RemoveAll(t.kit.dir)
	failed := 0
	for _, one := range tests {
		if t.test.only != "" && !strings.Contains(","+t.test.only+",", ","+one.name+",") {
			continue
		}
		began := time.Now()
		if err := one.do(t, ctx); err != nil {
			failed++
			say("FAIL  %-48s %5.0f s: %v", one.what, time.Since(began).Seconds(), err)
			continue
		}
		say("PASS  %-48s %5.0f s", one.what, time.Since(began).Seconds())
	}
	say("pictures and logs in %s", t.dir)
	if failed > 0 {
		return fmt.Errorf("%d tests failed", failed)
	}
	return errors.Join(ctx.Err())
}
