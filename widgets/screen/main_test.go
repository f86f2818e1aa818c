package screen_test

import (
	"testing"

	"dashboard/widgets"
	"dashboard/widgets/walltest"
)

func TestMain(m *testing.M) { walltest.Main(m, widgets.All()) }
