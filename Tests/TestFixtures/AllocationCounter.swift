#if canImport(Glibc)
  import Foundation
  import Glibc

  /// Counts what a thread allocates: a small library that does is compiled and loaded before the C library in processes of their own.
  package enum AllocationCounter {
    package static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    /// Allocations of this thread so far; nil where the counting library is not loaded.
    package static var count: Int? {
      typealias Count = @convention(c) () -> Int
      guard let address = unsafe dlsym(nil, "counted_allocations") else { return nil }
      return unsafe unsafeBitCast(address, to: Count.self)()
    }

    /// Processes started in `body` load the counting library first.
    /// - Throws: where the library does not compile.
    package static func preloaded(_ body: () async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "palimpsest-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      guard let library = compile(in: folder) else {
        throw CocoaError(.executableLoad)
      }
      unsafe setenv("LD_PRELOAD", library, 1)
      try await body()
      unsafe unsetenv("LD_PRELOAD")
    }

    /// - Returns: the library's path.
    private static func compile(in folder: URL) -> String? {
      let (source, library) = (folder.appending(path: "count.c"), folder.appending(path: "count.so"))
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try code.write(to: source, atomically: true, encoding: .utf8)
        let cc = Process()
        cc.executableURL = URL(filePath: "/usr/bin/cc")
        cc.arguments = ["-O1", "-shared", "-fPIC", "-fno-builtin", "-o", library.path, source.path]
        try cc.run()
        cc.waitUntilExit()
        return cc.terminationStatus == 0 ? library.path : nil
      } catch {
        return nil
      }
    }

    private static let code = """
      #include <errno.h>
      #include <stddef.h>
      extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
      extern void *__libc_memalign(size_t, size_t);
      static __thread long calls __attribute__((tls_model("initial-exec")));
      long counted_allocations(void) { return calls; }
      void *malloc(size_t n) { calls += 1; return __libc_malloc(n); }
      void *calloc(size_t k, size_t n) { calls += 1; return __libc_calloc(k, n); }
      void *realloc(void *p, size_t n) { calls += 1; return __libc_realloc(p, n); }
      void *memalign(size_t a, size_t n) { calls += 1; return __libc_memalign(a, n); }
      void *aligned_alloc(size_t a, size_t n) { calls += 1; return __libc_memalign(a, n); }
      int posix_memalign(void **p, size_t a, size_t n) {
        calls += 1;
        *p = __libc_memalign(a, n);
        return *p ? 0 : ENOMEM;
      }
      """
  }
#endif
