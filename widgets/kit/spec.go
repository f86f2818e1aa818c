package kit

import "dashboard/config"

// SpecOf returns the Spec of a configured widget and of all its descendants.
func SpecOf(w *config.Widget) *Spec {
	w.Reserve(CommonKeys()...)
	s := &Spec{Kind: w.Kind, Name: w.Name, Lost: w.Lost, Pos: w.Pos(), Recipe: w.Recipe(),
		Decode: w.Decode, DecodeCommon: w.DecodePart, Errorf: w.Errorf, Warnf: w.Warnf, Tolerate: w.Tolerate}
	for _, c := range w.Children {
		s.Children = append(s.Children, SpecOf(c))
	}
	if w.Item != nil {
		s.Item = SpecOf(w.Item)
	}
	return s
}
