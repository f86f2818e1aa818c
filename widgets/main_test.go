package widgets

import (
	"testing"

	"dashboard/internal/testing/walltest"
)

func TestMain(m *testing.M) { walltest.Main(m, All()) }
