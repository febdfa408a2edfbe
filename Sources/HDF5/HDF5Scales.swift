import CHDF5

// Dimension scales name the axes of datasets and hold their coordinates. They make an HDF5 file netCDF-4: each scale is
// a netCDF dimension, and each dataset says for each axis which one it runs along.

extension HDF5Dataset {
  /// Makes this one-dimensional dataset a dimension, called like the dataset; its values are the coordinates.
  ///
  /// - Errors: a dataset that has scales attached itself.
  public func makeScale() throws(HDF5Error) {
    try makeScale(named: name)
  }

  fileprivate func makeScale(named name: String) throws(HDF5Error) {
    let task = handle.task("make \(path) a dimension scale")
    try HDF5.sync { () throws(HDF5Error) in
      _ = try task.check(
        unsafe H5DSset_scale(handle.id, name), hint: "a dataset with scales attached cannot become one itself")
    }
  }

  /// Says that `axis` of this dataset runs along `scale`.
  ///
  /// - Errors: an axis that is not there, another length than the scale's, a dataset that is no scale.
  /// - Cost: grows with the number of datasets already attached to the scale; fine for hundreds.
  @discardableResult
  public func attach(_ scale: HDF5Dataset, axis: Int) throws(HDF5Error) -> HDF5Dataset {
    let task = handle.task("attach \(scale.path) to axis \(axis) of \(path)")
    return try HDF5.sync { () throws(HDF5Error) in
      let (shape, length) = (try self.shape(), try scale.shape())
      guard shape.indices.contains(axis) else { throw task.failure("the shape is \(shape)") }
      guard length == [shape[axis]] else { throw task.failure("shape \(shape) does not fit the scale's \(length)") }
      guard H5DSis_scale(scale.handle.id) > 0 else { throw task.failure("\(scale.path) is not a dimension scale") }
      try task.check(H5DSattach_scale(handle.id, scale.handle.id, UInt32(axis)))
      return self
    }
  }

  /// Attaches one scale to each axis, in order.
  @discardableResult
  public func attach(_ scales: [HDF5Dataset]) throws(HDF5Error) -> HDF5Dataset {
    for (axis, scale) in scales.enumerated() { try attach(scale, axis: axis) }
    return self
  }

  /// The name of the scale along each axis, nil where none is attached. A scale runs along itself.
  public func dimensionNames() throws(HDF5Error) -> [String?] {
    try HDF5.sync { () throws(HDF5Error) in
      let axes = try shape().indices
      if H5DSis_scale(handle.id) > 0 { return axes.map { _ in name } }
      var names: [String?] = []
      for axis in axes { names.append(try scaleName(along: axis)) }
      return names
    }
  }

  /// The name of the first scale attached to `axis`.
  private func scaleName(along axis: Int) throws(HDF5Error) -> String? {
    let task = handle.task("find the scale along axis \(axis) of \(path)")
    var path = ""
    let status = unsafe withUnsafeMutablePointer(to: &path) { path in
      unsafe H5DSiterate_scales(
        handle.id, UInt32(axis), nil,
        { _, _, scale, context in
          unsafe context?.assumingMemoryBound(to: String.self).pointee = scalePath(scale)
          return 1
        }, path)
    }
    try task.check(status)
    return path.split(separator: "/").last.map(String.init)
  }
}

extension HDF5Group {
  /// A dimension without coordinates: an empty dataset with the name by which netCDF-4 knows that there are none.
  ///
  /// - Source: netCDF-C, `nc4hdf.c`, `DIM_WITHOUT_VARIABLE` followed by the length as `%10d`.
  public func createDimension(_ name: String, length: Int) throws(HDF5Error) -> HDF5Dataset {
    let task = handle.task("create dimension \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      guard length >= 0 else { throw task.failure("\(length) is not a length") }
      let properties = try makeDatasetProperties(.contiguous, shape: [length], task)
      let dataset = try create(
        name, type: pal_H5T_IEEE_F32BE(), shape: [length], properties: properties.id, task)
      let digits = String(length)
      let padded = String(repeating: " ", count: max(0, 10 - digits.count)) + digits
      try dataset.makeScale(named: "This is a netCDF dimension but not a netCDF variable." + padded)
      return dataset
    }
  }
}

/// The path of an open object, at most 1023 bytes of it.
private func scalePath(_ id: hid_t) -> String {
  var text = [CChar](repeating: 0, count: 1024)
  let length = unsafe H5Iget_name(id, &text, text.count)
  return String(decoding: text.prefix(max(0, min(1023, length))).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
