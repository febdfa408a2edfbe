import CHDF5

extension HDF5Group {
  /// Creates a dataset of numbers and writes all of them.
  ///
  /// - Parameters:
  ///   - name: new in this group.
  ///   - values: row-major (last axis fastest), as many as `shape` has elements.
  ///   - shape: `[]` is a scalar; extents of 0 are allowed.
  ///   - fill: the value that means "missing"; also written as the attribute `_FillValue`, as netCDF-4 does.
  /// - Errors: values that do not fill the shape, a name that is taken, a file opened for reading.
  @discardableResult
  public func write<T: HDF5Number>(
    _ name: String, _ values: [T], shape: [Int], storage: HDF5Storage = .contiguous, fill: T? = nil
  ) throws(HDF5Error) -> HDF5Dataset {
    let task = handle.task("write dataset \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      try checkCount(values.count, fills: shape, task)
      return try makeNumbers(name, shape, storage, fill, task) { (dataset) throws(HDF5Error) in
        try dataset.fill(with: values, shape: shape, storage, fill, task)
      }
    }
  }

  /// - Parameter write: writes the values.
  func makeNumbers<T: HDF5Number>(
    _ name: String, _ shape: [Int], _ storage: HDF5Storage, _ fill: T?, _ task: HDF5Task,
    _ write: (HDF5Dataset) throws(HDF5Error) -> Void
  ) throws(HDF5Error) -> HDF5Dataset {
    let properties = try makeDatasetProperties(storage, shape: shape, task)
    if var fill { try task.check(unsafe H5Pset_fill_value(properties.id, T.hdf5.memory(), &fill)) }
    let dataset = try create(name, type: T.hdf5.file(), shape: shape, properties: properties.id, task)
    try write(dataset)
    if let fill { try dataset.attributes.set("_FillValue", [fill]) }
    return dataset
  }

  /// Creates a dataset of UTF-8 strings of variable length and writes all of them.
  ///
  /// Compression reaches only the 16-byte references, not the text: `.contiguous` is right for most columns.
  ///
  /// Each element has its own copy of the text, equal to others or not: libhdf5 frees the old text when an element is
  /// written over, so elements that shared a copy would lose it together. The dataset's fill value is no place for a
  /// text either: `h5repack` 1.10 loses it, and a file opened for reading cannot give the elements of chunks that were
  /// never written once others were (HDFGroup/hdf5#6187).
  ///
  /// - Parameter shape: nil for one axis; `[]` for a scalar.
  /// - Errors: those of numbers, and a string that contains U+0000.
  @discardableResult
  public func write(
    _ name: String, _ strings: [String], shape: [Int]? = nil, storage: HDF5Storage = .contiguous
  ) throws(HDF5Error) -> HDF5Dataset {
    let task = handle.task("write dataset \(handle.path(of: name))")
    let shape = shape ?? [strings.count]
    return try HDF5.sync { () throws(HDF5Error) in
      try checkCount(strings.count, fills: shape, task)
      let type = try makeStringType(task)
      let properties = try makeDatasetProperties(storage, shape: shape, task)
      let dataset = try create(name, type: type.id, shape: shape, properties: properties.id, task)
      try dataset.fill(with: strings, type: type.id, task)
      return dataset
    }
  }

  /// Creates a scalar dataset of one string, for long texts.
  @discardableResult
  public func write(_ name: String, _ string: String) throws(HDF5Error) -> HDF5Dataset {
    try write(name, [string], shape: [])
  }

  func create(
    _ name: String, type: hid_t, shape: [Int], properties: hid_t, _ task: HDF5Task
  ) throws(HDF5Error) -> HDF5Dataset {
    let space = try makeSpace(shape, task)
    let id = unsafe H5Dcreate2(
      handle.id, name, type, space.id, hid_t(H5P_DEFAULT), properties, hid_t(H5P_DEFAULT))
    return HDF5Dataset(handle: handle.member(name, try task.check(id)))
  }
}

extension HDF5Dataset {
  fileprivate func fill<T: HDF5Number>(
    with values: [T], shape: [Int], _ storage: HDF5Storage, _ fill: T?, _ task: HDF5Task
  ) throws(HDF5Error) {
    if values.isEmpty { return }
    if let rows = storage.rowsPerChunk(of: shape), H5Tequal(T.hdf5.memory(), T.hdf5.file()) > 0 {
      let filter = ChunkFilter(shuffles: storage.shuffle, level: storage.deflate)
      return try handle.chunks.add(values, to: self, shape: shape, rowsPerChunk: rows, fill: fill, filter, task)
    }
    let status = unsafe values.withUnsafeBytes { unsafe write(type: T.hdf5.memory(), $0.baseAddress) }
    try task.check(status)
  }

  fileprivate func fill(with strings: [String], type: hid_t, _ task: HDF5Task) throws(HDF5Error) {
    if strings.isEmpty { return }
    try unsafe writeStrings(strings, task) { unsafe write(type: type, $0) }
  }

  private func write(type: hid_t, _ buffer: UnsafeRawPointer?) -> Int32 {
    unsafe H5Dwrite(handle.id, type, hid_t(H5S_ALL), hid_t(H5S_ALL), hid_t(H5P_DEFAULT), buffer)
  }
}
