package fb

// haveKernels is true, because every arm64 processor has the vector unit that the kernels need.
const haveKernels = true

// kernelStep is the number of pixels that the kernels convert at a time.
const kernelStep = 16
