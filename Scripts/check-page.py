#!/usr/bin/env python3
"""Looks at pages of `palimpsest report --html` as a browser lays them out.

    python3 Scripts/check-page.py [--screenshots DIR] PAGE...

For each page, wide (1080 pixels) and narrow (500), light and dark: nothing is loaded beside it and nothing goes wrong in
its script; figures have a size; no two texts of a figure overlap; texts have a contrast of 4.5 to 1; headings, tables and
scroll regions are as a screen reader and a keyboard need them; it does not scroll sideways. Without its scripts it gives
the same pixels but for the tools that only they bring, its script does what it should, and it can be printed.

Every defect is a line "page: place: what", and the exit status is then 1. Needs Python's standard library and Debian's
chromium-headless-shell (or CHROMIUM=PROGRAM); where there is none it says so and checks nothing.
"""

import argparse
import base64
import fcntl
import itertools
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WIDTHS = (1080, 500)
SCHEMES = ("light", "dark")
# Pixels of a sheet of A4 between its margins.
PAPER = 718
# Seconds that the browser may take for one answer.
PATIENCE = 60
# Pixels of one screenshot's height: of much taller ones the browser leaves parts blank.
TALLEST = 4000
LAYOUT = Path(__file__).with_name("check-page.js").read_text()
# What only scripts bring: tools, and headings that are buttons.
WITHOUT_TOOLS = ".js{display:none!important}th button{text-decoration:none!important}"

# Sorts each table by its second column, finds a row, holds a strategy and lets it go.
SCRIPT = """() => {
  const found = [], all = (q, r = document) => Array.from(r.querySelectorAll(q));
  for (const table of all('table.sort')) {
    const heading = all('thead th', table)[1], body = table.tBodies[0], count = body.rows.length;
    if (!heading.querySelector('button')) { found.push(`${table.id}: headings are no buttons`); continue; }
    for (const order of ['descending', 'ascending']) {
      heading.querySelector('button').click();
      const cells = Array.from(body.rows, r => r.cells[1]), sign = order === 'ascending' ? 1 : -1;
      if (heading.getAttribute('aria-sort') !== order) found.push(`${table.id}: aria-sort is not ${order}`);
      const values = cells.every(c => c.dataset.v) ? cells.map(c => Number(c.dataset.v)) : [];
      if (values.some((v, i) => i && sign * (v - values[i - 1]) < 0)) found.push(`${table.id}: is not sorted ${order}`);
    }
    if (body.rows.length !== count) found.push(`${table.id}: sorting loses rows`);
  }
  const find = document.querySelector('input.find'), rows = all('table.sort tbody tr');
  if (find && rows.length) {
    find.value = 'no row has this text'; find.dispatchEvent(new Event('input'));
    if (rows.some(r => r.checkVisibility())) found.push('find: rows that do not match stay');
    find.value = ''; find.dispatchEvent(new Event('input'));
    if (!rows.every(r => r.checkVisibility())) found.push('find: rows do not come back');
    rows[0].cells[0].click();
    if (!all('svg.fig [data-s].hit').length && all('svg.fig [data-s]').length) found.push('a click on a strategy: marks no figure');
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    if (all('.hit').length || document.body.classList.contains('pick')) found.push('Escape: does not let go of the strategy');
  }
  return found;
}"""


class Browser:
  """Chromium, asked over a pair of pipes by the DevTools protocol."""

  def __init__(self, program, profile):
    to_child, self._out = os.pipe()
    self._in, from_child = os.pipe()
    # Above 4, so that the browser's numbers are free.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_child, from_child)]
    os.close(to_child)
    os.close(from_child)

    def connect():
      os.dup2(ends[0], 3)
      os.dup2(ends[1], 4)

    self._process = subprocess.Popen(
      [program, "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
       f"--user-data-dir={profile}", "about:blank"],
      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect, pass_fds=(3, 4))
    for end in ends:
      os.close(end)
    self._buffer, self._count, self.events = b"", 0, []

  def ask(self, method, session=None, **parameters):
    """Sends a command and gives its result; what happens meanwhile is kept in `events`."""
    self._count += 1
    message = {"id": self._count, "method": method, "params": parameters}
    if session:
      message["sessionId"] = session
    data = json.dumps(message).encode() + b"\0"
    while data:
      data = data[os.write(self._out, data):]
    while True:
      answer = self._next(method)
      if answer.get("id") == self._count:
        if "error" in answer:
          raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

  def wait(self, event):
    """Goes on once an event has come."""
    while not any(e.get("method") == event for e in self.events):
      self._next(event)

  def _next(self, what):
    end = time.monotonic() + PATIENCE
    while b"\0" not in self._buffer:
      if not select.select([self._in], [], [], max(0, end - time.monotonic()))[0]:
        raise RuntimeError(f"{what}: the browser did not answer within {PATIENCE} s")
      piece = os.read(self._in, 1 << 20)
      if not piece:
        raise RuntimeError(f"{what}: the browser has ended")
      self._buffer += piece
    message, _, self._buffer = self._buffer.partition(b"\0")
    answer = json.loads(message)
    if "id" not in answer:
      self.events.append(answer)
    return answer

  def close(self):
    os.close(self._out)
    os.close(self._in)
    self._process.terminate()
    self._process.wait()


class Page:
  """A file, opened in a tab of its own."""

  def __init__(self, browser, file):
    self.browser, self.url = browser, Path(file).resolve().as_uri()
    self._target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
    self._session = browser.ask("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
      self.ask(f"{domain}.enable")
    browser.events.clear()
    self.ask("Page.navigate", url=self.url)
    browser.wait("Page.loadEventFired")

  def ask(self, method, **parameters):
    return self.browser.ask(method, self._session, **parameters)

  def call(self, function):
    """Gives what a JavaScript function returns."""
    answer = self.ask("Runtime.evaluate", expression=f"({function})()", returnByValue=True, awaitPromise=True)
    if "exceptionDetails" in answer:
      raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "a script has failed"))
    return answer["result"].get("value")

  def look(self, width, scheme, media=""):
    self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    self.ask("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

  def style(self, text):
    self.call(f"() => {{ const s = document.createElement('style'); s.textContent = {json.dumps(text)}; document.head.append(s) }}")

  def open_details(self):
    self.call("() => document.querySelectorAll('details').forEach(d => { d.open = true })")

  def pictures(self):
    """The whole page as PNGs, one below the other."""
    width, height = self.call("() => [innerWidth, document.documentElement.scrollHeight]")
    for top in range(0, height, TALLEST):
      clip = {"x": 0, "y": top, "width": width, "height": min(TALLEST, height - top), "scale": 1}
      yield base64.b64decode(self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])

  def incidents(self):
    """What went wrong while it was loaded and looked at, and what it asked for."""
    for event in self.browser.events:
      details = event.get("params", {})
      match event.get("method"):
        case "Runtime.exceptionThrown":
          thrown = details["exceptionDetails"]
          yield f"script: {thrown.get('exception', {}).get('description', thrown['text']).splitlines()[0]}"
        case "Runtime.consoleAPICalled" if details["type"] in ("error", "warning", "assert"):
          yield f"console: {' '.join(str(a.get('value', a.get('description'))) for a in details['args'])}"
        case "Log.entryAdded" if details["entry"]["level"] in ("error", "warning"):
          yield f"console: {details['entry']['text']}"
        case "Network.requestWillBeSent":
          url = details["request"]["url"]
          if url.partition("#")[0] != self.url and not url.startswith("data:"):
            yield f"network: asks for {url}"

  def close(self):
    self.browser.ask("Target.closeTarget", targetId=self._target)
    self.browser.events.clear()


def without_scripts(text):
  return re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)


def defects(browser, file, folder, screenshots):
  """Gives "place: what" for each defect of a page."""
  page = Page(browser, file)
  page.open_details()
  looks = {}
  for width, scheme in itertools.product(WIDTHS, SCHEMES):
    page.look(width, scheme)
    for defect in page.call(LAYOUT):
      looks.setdefault(defect, {})[f"{width} {scheme}"] = True
    if screenshots:
      for number, picture in enumerate(page.pictures()):
        (screenshots / f"{Path(file).stem}-{width}-{scheme}-{number}.png").write_bytes(picture)
  for defect, seen in looks.items():
    yield defect if len(seen) == len(WIDTHS) * len(SCHEMES) else f"{defect} ({', '.join(seen)})"
  yield from unscripted(browser, page, file, folder)
  for defect in page.call(SCRIPT):
    yield f"script: {defect}"
  yield from printed(page)
  yield from page.incidents()
  page.close()


def unscripted(browser, page, file, folder):
  """The page without its scripts looks the same, but for what only they bring."""
  copy = folder / "unscripted.html"
  copy.write_text(without_scripts(Path(file).read_text()))
  incidents, pictures = list(browser.events), []
  other = Page(browser, copy)
  other.open_details()
  for one in (page, other):
    one.style(WITHOUT_TOOLS)
    one.look(WIDTHS[0], SCHEMES[0])
    pictures.append(list(one.pictures()))
  if len(pictures[0]) != len(pictures[1]):
    yield "without scripts: the page is not as tall as with them"
  for number, (a, b) in enumerate(zip(*pictures)):
    if a != b:
      yield f"without scripts: other pixels between {TALLEST * number} and {TALLEST * (number + 1)} from the top"
  other.close()
  browser.events[:] = incidents


def printed(page):
  page.call("() => document.querySelectorAll('details').forEach(d => { d.open = false })")
  page.look(WIDTHS[0], SCHEMES[0], media="print")
  hidden = """() => Array.from(document.querySelectorAll('figure')).filter(f => !f.checkVisibility() || !f.getBoundingClientRect().height)
    .map(f => f.id)"""
  for name in page.call(hidden):
    yield f"print: {name}: does not show"
  page.look(PAPER, SCHEMES[0], media="print")
  cut = """() => Array.from(document.querySelectorAll('table, pre, svg')).filter(e => e.checkVisibility()
    && (e.getBoundingClientRect().right > innerWidth + 1
      || e.parentElement.scrollWidth > e.parentElement.clientWidth + 1 && getComputedStyle(e.parentElement).overflowX !== 'visible'))
    .map(e => e.closest('[id]').id)"""
  for name in page.call(cut):
    yield f"print: {name}: is cut off at the right"
  tools = "() => Array.from(document.querySelectorAll('.js, nav')).filter(e => e.checkVisibility()).length"
  if page.call(tools):
    yield "print: what only a screen needs shows"
  page.ask("Emulation.setEmulatedMedia", media="")
  if not base64.b64decode(page.ask("Page.printToPDF", preferCSSPageSize=True)["data"]).startswith(b"%PDF"):
    yield "print: gives no PDF"


def main():
  parser = argparse.ArgumentParser(description="Looks at pages as a browser lays them out.")
  parser.add_argument("pages", nargs="+", metavar="PAGE")
  parser.add_argument("--screenshots", type=Path, metavar="DIR", help="keep pictures of each look")
  arguments = parser.parse_args()
  for file in arguments.pages:
    if not Path(file).is_file():
      parser.error(f"{file}: there is no such file")
  program = shutil.which(os.environ.get("CHROMIUM", "chromium-headless-shell"))
  if program is None:
    print("check-page: chromium-headless-shell is not installed; nothing was checked.")
    return 0
  if arguments.screenshots:
    arguments.screenshots.mkdir(parents=True, exist_ok=True)
  count = 0
  with tempfile.TemporaryDirectory(prefix="check-page-") as folder:
    browser = Browser(program, folder + "/profile")
    try:
      for file in arguments.pages:
        for defect in defects(browser, file, Path(folder), arguments.screenshots):
          print(f"{file}: {defect}")
          count += 1
    finally:
      browser.close()
  print(f"pages: {len(arguments.pages)}, defects: {count}")
  return 1 if count else 0


if __name__ == "__main__":
  sys.exit(main())
