// What Swift's importer cannot see of libhdf5: ids that are macros (each calls H5open first), flags with casts,
// H5T_VARIABLE (SIZE_MAX does not fit Swift's Int), and functions that were renumbered between versions.
// Everything else is called directly, always by its numbered name (H5Dopen2, H5Acreate2, …).

#ifndef PALIMPSEST_CHDF5_SHIM_H
#define PALIMPSEST_CHDF5_SHIM_H

#include <hdf5.h>
#include <hdf5_hl.h>
#ifdef __linux__
#include <malloc.h>
#endif

#define PAL_ID(name) static inline hid_t pal_##name(void) { return name; }

// Numbers in memory and, little-endian, in the file.
PAL_ID(H5T_NATIVE_FLOAT)
PAL_ID(H5T_NATIVE_DOUBLE)
PAL_ID(H5T_NATIVE_INT8)
PAL_ID(H5T_NATIVE_INT32)
PAL_ID(H5T_NATIVE_INT64)
PAL_ID(H5T_IEEE_F32LE)
PAL_ID(H5T_IEEE_F64LE)
PAL_ID(H5T_STD_I8LE)
PAL_ID(H5T_STD_I32LE)
PAL_ID(H5T_STD_I64LE)
// netCDF-4 stores a dimension that has no coordinate variable with this type.
PAL_ID(H5T_IEEE_F32BE)
PAL_ID(H5T_C_S1)

// Property list classes.
PAL_ID(H5P_FILE_CREATE)
PAL_ID(H5P_FILE_ACCESS)
PAL_ID(H5P_GROUP_CREATE)
PAL_ID(H5P_DATASET_CREATE)

#undef PAL_ID

static inline unsigned pal_H5F_ACC_RDONLY(void) { return H5F_ACC_RDONLY; }
static inline unsigned pal_H5F_ACC_TRUNC(void) { return H5F_ACC_TRUNC; }

/// Makes the string type `type` one of variable length.
static inline herr_t pal_set_variable(hid_t type) { return H5Tset_size(type, H5T_VARIABLE); }

/// The oldest format that holds what is written, nothing newer than HDF5 1.8's: what netCDF-4 writes, read by all.
///
/// The lower bound must stay "earliest": it gives superblock 0. From superblock 2 on, H5Fget_file_image clears a flag
/// and leaves the old checksum, so that nothing can open the image (HDFGroup/hdf5#1915, mended in April 2025 by #5489).
static inline herr_t pal_set_format(hid_t access) {
#if H5_VERSION_GE(1, 10, 2)
  return H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
#else
  return H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
#endif
}

/// The number of attributes of an object, or -1.
static inline long long pal_attribute_count(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  return H5Oget_info3(object, &info, H5O_INFO_NUM_ATTRS) < 0 ? -1 : (long long)info.num_attrs;
#elif H5_VERSION_GE(1, 10, 3)
  H5O_info_t info;
  return H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) < 0 ? -1 : (long long)info.num_attrs;
#else
  H5O_info_t info;
  return H5Oget_info(object, &info) < 0 ? -1 : (long long)info.num_attrs;
#endif
}

/// Whether `name` in `group` is the object itself rather than a path to one, which may lead nowhere; -1 on failure.
static inline int pal_is_hard_link(hid_t group, const char *name) {
#if H5_VERSION_GE(1, 12, 0)
  H5L_info2_t info;
  return H5Lget_info2(group, name, &info, H5P_DEFAULT) < 0 ? -1 : info.type == H5L_TYPE_HARD;
#else
  H5L_info_t info;
  return H5Lget_info(group, name, &info, H5P_DEFAULT) < 0 ? -1 : info.type == H5L_TYPE_HARD;
#endif
}

/// Frees the variable-length strings that a read left in `buffer`.
static inline herr_t pal_reclaim(hid_t type, hid_t space, void *buffer) {
#if H5_VERSION_GE(1, 12, 0)
  return H5Treclaim(type, space, H5P_DEFAULT, buffer);
#else
  return H5Dvlen_reclaim(type, space, H5P_DEFAULT, buffer);
#endif
}

/// Writes a whole chunk that all filters have been applied to already.
static inline herr_t pal_write_chunk(hid_t dataset, const hsize_t *offset, size_t count, const void *bytes) {
#if H5_VERSION_GE(1, 10, 3)
  return H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, count, bytes);
#else
  return H5DOwrite_chunk(dataset, H5P_DEFAULT, 0, (hsize_t *)offset, count, bytes);
#endif
}

/// Gives memory back to the system that the C library holds for later.
static inline void pal_trim(void) {
#ifdef __GLIBC__
  (void)malloc_trim(0);
#endif
}

/// Stops libhdf5 from printing errors. The setting belongs to the calling thread.
static inline void pal_silence(void) { (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

#endif
