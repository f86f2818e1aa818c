package fb

import "golang.org/x/sys/cpu"

// haveKernels reports whether the processor has AVX2 (since Haswell, 2013). Older processors run the portable functions.
var haveKernels = cpu.X86.HasAVX2

// kernelStep is the number of pixels that the assembly converts at a time.
const kernelStep = 16
