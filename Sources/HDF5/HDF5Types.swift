import CHDF5

/// A number type that datasets and attributes can hold: `Float`, `Double`, `Int8`, `Int32` and `Int64`.
///
/// Stored little-endian. Float16 is left out on purpose: it crashes netCDF4 readers.
public protocol HDF5Number: Numeric, BitwiseCopyable, Sendable {
  static var hdf5: HDF5NumberType { get }
}

/// How a number type is called by libhdf5, in memory and in the file.
public struct HDF5NumberType: Sendable {
  public let element: HDF5Element
  // Functions, for the ids exist only once the library is open, and may be asked for only inside `HDF5.sync`.
  let memory: @Sendable () -> hid_t
  let file: @Sendable () -> hid_t
}

extension Float: HDF5Number {
  public static var hdf5: HDF5NumberType {
    HDF5NumberType(
      element: .float(bits: 32), memory: { pal_H5T_NATIVE_FLOAT() }, file: { pal_H5T_IEEE_F32LE() })
  }
}

extension Double: HDF5Number {
  public static var hdf5: HDF5NumberType {
    HDF5NumberType(
      element: .float(bits: 64), memory: { pal_H5T_NATIVE_DOUBLE() }, file: { pal_H5T_IEEE_F64LE() })
  }
}

extension Int8: HDF5Number {
  public static var hdf5: HDF5NumberType {
    HDF5NumberType(
      element: .integer(bits: 8, signed: true), memory: { pal_H5T_NATIVE_INT8() }, file: { pal_H5T_STD_I8LE() })
  }
}

extension Int32: HDF5Number {
  public static var hdf5: HDF5NumberType {
    HDF5NumberType(
      element: .integer(bits: 32, signed: true), memory: { pal_H5T_NATIVE_INT32() }, file: { pal_H5T_STD_I32LE() })
  }
}

extension Int64: HDF5Number {
  public static var hdf5: HDF5NumberType {
    HDF5NumberType(
      element: .integer(bits: 64, signed: true), memory: { pal_H5T_NATIVE_INT64() }, file: { pal_H5T_STD_I64LE() })
  }
}

/// What a dataset or attribute holds, as stored.
public enum HDF5Element: Sendable, Equatable, CustomStringConvertible {
  case float(bits: Int)
  case integer(bits: Int, signed: Bool)
  case string
  /// Compound, enumeration, reference and the like: listed, not read.
  case other

  public var description: String {
    switch self {
    case .float(let bits): "float\(bits)"
    case .integer(let bits, let signed): (signed ? "int" : "uint") + "\(bits)"
    case .string: "strings"
    case .other: "a type that is neither number nor string"
    }
  }

  /// Whether every value stored as `self` can be read as `wanted` without loss.
  func isExact(as wanted: HDF5Element) -> Bool {
    switch (self, wanted) {
    case (.float(let stored), .float(let bits)): stored <= bits
    case (.integer(let stored, _), .float(let bits)): stored <= (bits == 32 ? 16 : 32)
    case (.integer(let stored, true), .integer(let bits, true)): stored <= bits
    case (.integer(let stored, false), .integer(let bits, true)): stored < bits
    default: false
    }
  }

  /// The element of the libhdf5 type `type`. Call inside `HDF5.sync`.
  init(type: hid_t) {
    let bits = 8 * H5Tget_size(type)
    switch H5Tget_class(type) {
    case H5T_FLOAT: self = .float(bits: bits)
    case H5T_INTEGER: self = .integer(bits: bits, signed: H5Tget_sign(type) == H5T_SGN_2)
    case H5T_STRING: self = .string
    default: self = .other
    }
  }
}

/// The type of all strings written here: variable length, UTF-8. Fixed lengths come out of h5netcdf as bytes.
func makeStringType(_ task: HDF5Task) throws(HDF5Error) -> HDF5Scoped {
  let type = try task.scoped(H5Tcopy(pal_H5T_C_S1()))
  try task.check(pal_set_variable(type.id))
  try task.check(H5Tset_cset(type.id, H5T_CSET_UTF8))
  return type
}
