// bcryptprimitives.dll for versions of Wine that have none (before 8.15): Go's runtime takes random numbers from it.
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom of advapi32
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }
