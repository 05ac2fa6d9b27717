// How a function is declared that both a CPU and a GPU call.
#pragma once

#ifdef __CUDACC__
#define SKERRY_INLINE __device__ __forceinline__
#else
#define SKERRY_INLINE inline
#endif
