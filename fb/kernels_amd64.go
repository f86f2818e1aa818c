package fb

import "golang.org/x/sys/cpu"

// The kernels need AVX2 (Haswell, 2013). Older machines run the plain loops.
var haveKernels = cpu.X86.HasAVX2

// kernelStep is the number of pixels the kernels convert at a time.
const kernelStep = 16
