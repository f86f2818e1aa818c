package fb

// haveKernels is true: every arm64 has the vector unit the kernels need.
const haveKernels = true

// kernelStep is the number of pixels the kernels convert at a time.
const kernelStep = 16
