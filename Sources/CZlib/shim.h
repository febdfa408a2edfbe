#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 and deflateInit2 are macros: 16 + 15 bits asks for a gzip header.
static inline int pal_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

/// Whether a sample of these bytes looks random: every value then comes up about equally often, and nothing can be gained.
static inline int pal_looks_random(const unsigned char *bytes, long count) {
  enum { sample = 4096 };
  if (count < sample) return 0;
  int counts[256] = {0};
  const long step = count / sample;
  for (long i = 0; i < sample; i++) counts[bytes[i * step]]++;
  long squares = 0;
  for (int value = 0; value < 256; value++) squares += (long)counts[value] * counts[value];
  // Of random bytes 256 Σ n² / 4096² is 1.06 ± 0.006; one bit less of information doubles it.
  return squares * 256 < (long)(1.15 * sample * sample);
}

/// Room that `pal_deflate_runs` never exceeds.
static inline long pal_deflate_bound(long count, long planes) {
  return (long)compressBound((unsigned long)count) + 16 * planes;
}

/// A zlib stream of `source`, which consists of `planes` parts of equal length: looks for runs of equal bytes only, not for
/// repeated strings, and stores parts that look random. Returns its length, or -1 where it does not fit into `room` or there
/// is no memory.
static inline long pal_deflate_runs(
    unsigned char *target, long room, const unsigned char *source, long count, long planes, int level) {
  z_stream stream = {0};
  if (deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS, 8, Z_RLE) != Z_OK) return -1;
  stream.next_in = (unsigned char *)source;
  stream.next_out = target;
  stream.avail_out = (unsigned)room;
  int status = Z_OK;
  for (long plane = 0; plane < planes && status == Z_OK; plane++) {
    const long start = count / planes * plane;
    const long length = plane + 1 < planes ? count / planes : count - start;
    status = deflateParams(&stream, pal_looks_random(source + start, length) ? 0 : level, Z_RLE);
    stream.avail_in = (unsigned)length;
    if (status == Z_OK) status = deflate(&stream, plane + 1 < planes ? Z_NO_FLUSH : Z_FINISH);
  }
  const long length = (long)stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? length : -1;
}

/// Room that `pal_deflate_raw` never exceeds.
static inline long pal_deflate_raw_bound(long count) { return (long)compressBound((unsigned long)count); }

/// `source` as deflate data without header or trailer (RFC 1951). Returns their length, or -1 where they do not fit into `room` or there is
/// no memory. Neither length may reach 4 GB.
static inline long pal_deflate_raw(
    unsigned char *target, long room, const unsigned char *source, long count, int level) {
  z_stream stream = {0};
  if (deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = (unsigned)count;
  stream.next_out = target;
  stream.avail_out = (unsigned)room;
  const int status = deflate(&stream, Z_FINISH);
  const long length = (long)stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? length : -1;
}

/// The inverse. Returns 1 where all of `source` comes to exactly `room` bytes, else 0.
static inline int pal_inflate_raw(unsigned char *target, long room, const unsigned char *source, long count) {
  z_stream stream = {0};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = (unsigned)count;
  stream.next_out = target;
  stream.avail_out = (unsigned)room;
  const int status = inflate(&stream, Z_FINISH);
  const int whole = status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return whole;
}

/// The first byte of each of `count` values, then the second of each, …: HDF5's filter "shuffle".
static inline void pal_shuffle(unsigned char *target, const unsigned char *source, long count, long size) {
  for (long byte = 0; byte < size; byte++) {
    for (long i = 0; i < count; i++) *target++ = source[i * size + byte];
  }
}

#endif
