// Package whole detects fields that the caller of a constructor has not set.
package whole

import (
	"fmt"
	"reflect"
)

// `optional` is the tag of a field that may be nil.
const optional = "optional"

// Check panics if a function, pointer, interface, map or channel of a struct is nil. Fields with the tag `optional:"true"` may be nil. A
// constructor calls Check, so that a missing field is detected when the value is made and not at the field's first use.
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
