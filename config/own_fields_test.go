package config

import (
	"reflect"
	"testing"
)

// ownFields returns the same fields as Fields, but without the fields inside of their values. The documents and the schemas use Fields.
func TestOwnFields(t *testing.T) {
	type inner struct {
		Deep int `yaml:"deep"`
	}
	type shared struct {
		Common string `yaml:"common"`
	}
	type outer struct {
		shared
		Part inner `yaml:"part"`
	}
	all, own := Fields(reflect.TypeFor[outer]()), ownFields(reflect.TypeFor[outer]())
	if len(all) != 2 || len(all[1].Fields) != 1 {
		t.Fatalf("got %+v", all)
	}
	all[1].Fields = nil
	if !reflect.DeepEqual(all, own) {
		t.Errorf("got %+v, want %+v", own, all)
	}
}
