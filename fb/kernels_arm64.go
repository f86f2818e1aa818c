package fb

// haveKernels is true, because every arm64 processor has the vector instructions that the assembly needs.
const haveKernels = true

// kernelStep is the number of pixels that the assembly converts at a time.
const kernelStep = 16
