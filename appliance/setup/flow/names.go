package flow

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"
)

// Letters and digits that are easy to distinguish. 0, O, 1, l and I are not used.
const (
	plain    = "abcdefghjkmnpqrstuvwxyz23456789"
	capitals = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	digits   = "23456789"
)

// syllables are the words of passwords. All of them have five letters, so that the QR code for joining has the same size on every board.
var syllables = strings.Fields(`
	acorn agate alder amber apple arrow aspen atlas baker basil beach berry birch bloom brass bread brick broom brush cabin camel candy canoe
	cedar chalk charm cheer chess chive cider cloud clove coast cocoa comet coral couch crane cream creek crown daisy dance delta diner
	dough dozen dream drift eagle earth ember fable fairy feast ferry field finch flame flint flora flute forge frost fruit giant glade globe
	grain grape grass green grove happy hazel heron hinge honey horse house igloo ivory jelly juice kayak kiosk koala ladle larch latte lemon
	lilac linen llama lotus lunar mango maple march melon metal minty model mossy mouse music north nurse oasis ocean olive onion orbit otter
	paint panda paper patio peach pearl pecan petal piano pilot pixel plaza plume polar poppy prism quail quilt radio raven river robin rover
	royal salad scarf shell shore sigma skate slate smile snail solar spice spoon stone storm straw sugar sunny swing table tango tiger toast
	topaz torch tower trail train tulip tunic vapor vault viola vivid wafer wagon waltz water whale wheat windy woods yacht
	zebra`)

// Name returns the name of a board's access point. It ends with four characters that depend on the board's ID.
func Name(id string) string {
	sum := sha256.Sum256([]byte("access point " + id))
	name := []byte("wall-")
	for _, b := range sum[:4] {
		name = append(name, plain[int(b)%len(plain)])
	}
	return string(name)
}

// NewPassword returns a new password for the access point: two words and two digits.
func NewPassword() string {
	two := string([]byte{pick(digits), pick(digits)})
	return syllables[random(len(syllables))] + "-" + syllables[random(len(syllables))] + "-" + two
}

// tokenSize is the number of characters of a token. Each character has 5 random bits.
const tokenSize = 8

// NewToken returns a new token for the address of the page.
func NewToken() string {
	token := make([]byte, tokenSize)
	for i := range token {
		token[i] = pick(capitals)
	}
	return string(token)
}

func pick(from string) byte { return from[random(len(from))] }

func random(n int) int {
	v, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails on Linux
	}
	return int(v.Int64())
}
