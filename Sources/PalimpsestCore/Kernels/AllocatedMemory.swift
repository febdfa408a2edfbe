import CKernels

/// What the whole process has allocated and not freed: what a learner takes is measured with it, for the pages that the
/// system counts come and go in larger pieces.
public enum AllocatedMemory {
  /// Nil where the C library does not say: glibc does.
  public static var bytes: Int? {
    let bytes = pal_allocated_bytes()
    return bytes < 0 ? nil : Int(bytes)
  }
}
