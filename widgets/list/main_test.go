package list_test

import (
	"testing"

	"dashboard/internal/testing/walltest"
	"dashboard/widgets"
)

func TestMain(m *testing.M) { walltest.Main(m, widgets.All()) }
