#include <fcntl.h>
#include <unistd.h>

/// Puts something in the place of the descriptors 0, 1 and 2 that the process was started without: else the next file to
/// be opened stands there, a journal that takes progress lines for standard error, or an event queue of the run time,
/// which is why this comes before `main`. What is put there cannot be used in the direction the descriptor has, so that
/// writing still fails.
__attribute__((constructor)) static void occupy_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) < 0) {
      int placeholder = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
      if (placeholder >= 0 && placeholder != descriptor) close(placeholder);
    }
  }
}
