/// A page on which everything is wrong that `Scripts/check-page.py` looks for.
enum BrokenPage {
  static let text = """
    <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>bad</title>
    <style>body{background:#fff;color:#000;margin:0}.scroll{overflow-x:auto}svg{display:block}</style></head><body>
    <h1>bad</h1><h3>skips</h3><p id="pale" style="color:#999">too pale</p>
    <div style="width:1200px" id="wide">wide</div>
    <table id="t" class="sort"><thead><tr><th>a</th><th scope="col">b</th></tr></thead>
    <tbody><tr><td>1</td><td data-v="1">1</td></tr></tbody></table>
    <div class="scroll" id="s"><table style="width:3000px"><tbody><tr><td>long</td></tr></tbody></table></div>
    <figure id="f"><svg class="fig" role="img" viewBox="0 0 400 100" width="400" height="100" aria-labelledby="t-f gone">
    <title id="t-f">f</title><rect x="0" y="0" width="400" height="100" fill="#777777"/>
    <text x="10" y="20">first</text><text x="12" y="20">second</text><text x="380" y="50" fill="#ffffff">beyond it</text>
    </svg></figure>
    <figure id="g"><svg class="fig" role="img" viewBox="0 0 400 100" width="10" height="10"></svg></figure>
    <div id="pale"></div><p class="js">a tool</p>
    <details><summary>more</summary><figure id="h"><svg class="fig" role="img" viewBox="0 0 400 100" width="400" height="100">
    <title>h</title><desc>1</desc></svg></figure></details>
    <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=""><img src="none.png" alt="">
    <script>console.error('wrong'); document.querySelector('h1').style.color = 'red'; throw new Error('broken')</script>
    </body></html>

    """

  static let defects = [
    "f: has no desc",
    #"f: "beyond it" has a contrast of 1.00, less than 4.5"#,
    #"f: "beyond it" reaches beyond the figure"#,
    #"f: "first" and "second" overlap"#,
    "g: is 10 × 10 pixels",
    #"h1: "bad" has a contrast of 4.00, less than 4.5"#,
    #"p in pale: "too pale" has a contrast of 2.85, less than 4.5"#,
    #"h3: heading "skips" skips a level"#,
    #"th in t: heading "a" has no scope"#,
    "div in s: scrolls and takes no focus",
    "div in s: scrolls and has no name",
    "pale: this id is there twice",
    "svg in f: is called by gone, which is not there",
    "div in wide: the page is 1200 pixels wide and scrolls sideways",
    "without scripts: other pixels between 0 and 4000 from the top",
    "script: t: headings are no buttons",
    "print: h: does not show",
    "print: s: is cut off at the right",
    "network: asks for none.png",
    "console: Failed to load resource: net::ERR_FILE_NOT_FOUND",
    "console: wrong",
    "script: Error: broken",
  ]
}
