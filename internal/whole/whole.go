// Package whole finds fields that a constructor's caller has left out.
package whole

import (
	"fmt"
	"reflect"
)

// optional is the tag of a field that may be nil.
const optional = "optional"

// Check panics unless every function, pointer, interface, map and channel of a struct is set. Fields with the tag `optional:"true"`
// may be nil. Constructors call it, so that a missing part fails in the constructor and not at its first use.
func Check(parts any) {
	v := reflect.ValueOf(parts)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch f.Type.Kind() {
		case reflect.Func, reflect.Pointer, reflect.Interface, reflect.Map, reflect.Chan:
			if v.Field(i).IsNil() && f.Tag.Get(optional) != "true" {
				panic(fmt.Sprintf("%s: %s is missing", v.Type(), f.Name))
			}
		}
	}
}
