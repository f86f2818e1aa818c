// bcryptprimitives.dll for versions of Wine before 8.15, which do not have it. Go's runtime gets random numbers from this DLL.
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom of advapi32
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }
