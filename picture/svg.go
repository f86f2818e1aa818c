package picture

func looksLikeSVG(data []byte) bool                      { return false }
func decodeSVG(data []byte, to target) (*Picture, error) { return nil, ErrUnknown }
