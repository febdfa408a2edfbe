#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros: 16 + 15 bits asks for a gzip header.
static inline int pal_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

/// A zlib stream of `source` that looks for runs of equal bytes only, not for repeated strings. Returns its length, or -1
/// where it does not fit into `room` (`compressBound(count)` always does) or there is no memory.
static inline long pal_deflate_runs(
    unsigned char *target, unsigned long room, const unsigned char *source, unsigned long count, int level) {
  z_stream stream = {0};
  if (deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS, 8, Z_RLE) != Z_OK) return -1;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = (unsigned)count;
  stream.next_out = target;
  stream.avail_out = (unsigned)room;
  const int status = deflate(&stream, Z_FINISH);
  const long length = (long)stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? length : -1;
}

/// The first byte of each of `count` values, then the second of each, …: HDF5's filter "shuffle".
static inline void pal_shuffle(unsigned char *target, const unsigned char *source, long count, long size) {
  for (long byte = 0; byte < size; byte++) {
    for (long i = 0; i < count; i++) *target++ = source[i * size + byte];
  }
}

#endif
