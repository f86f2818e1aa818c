package widgets

import (
	"testing"

	"dashboard/widgets/walltest"
)

func TestMain(m *testing.M) { walltest.Main(m, All()) }
