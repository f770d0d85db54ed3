/* The runtime of `squall cover` for programs compiled by clang or gcc with -fsanitize-coverage=trace-pc-guard (clang) or trace-pc-guard's
 * callbacks. It counts edges in the shared memory that the variable __AFL_SHM_ID names, with AFL_MAP_SIZE bytes, as programs
 * instrumented by AFL++ do; without that variable it counts nothing.
 *
 * Compile it without instrumentation and link it: clang -O2 -c edge_runtime.c && clang++ -fsanitize-coverage=trace-pc-guard ... edge_runtime.o
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/shm.h>

static uint8_t *map;
static uint32_t bytes;
/* Edge 0 is none. */
static uint32_t edges = 1;

static void attach(void) {
  const char *id = getenv("__AFL_SHM_ID"), *size = getenv("AFL_MAP_SIZE");
  if (map || !id) return;
  void *memory = shmat(atoi(id), NULL, 0);
  if (memory == (void *)-1) {
    perror("squall cover: cannot attach the map of edges");
    return;
  }
  bytes = size ? (uint32_t)strtoul(size, NULL, 10) : 65536;
  map = memory;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  attach();
  if (start == stop || *start) return;
  for (uint32_t *guard = start; guard < stop; guard++) *guard = edges++;
  if (map && edges > bytes)
    fprintf(stderr, "squall cover: %u edges do not fit into AFL_MAP_SIZE=%u\n", edges, bytes);
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  uint32_t edge = *guard;
  /* A counter stays at its end: one that ran over to zero would say that the edge was never taken. */
  if (map && edge < bytes && map[edge] != 255) map[edge]++;
}

/* Runs after the initialisers of all instrumented objects, which have a priority. */
__attribute__((constructor)) static void tell(void) {
  if (!getenv("AFL_DUMP_MAP_SIZE")) return;
  printf("%u\n", edges);
  fflush(stdout);
  _Exit(0);
}
