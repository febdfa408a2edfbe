/// How the page looks: one column, light and dark, in print without what only a screen needs.
enum PageStyle {
  static let text: String = {
    let (light, dark) = (Palette.light, Palette.dark)
    return """
      :root{color-scheme:light dark;\(colours(light))}
      @media(prefers-color-scheme:dark){:root{\(colours(dark))}}
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:1080px;padding:0 10px 60px;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
      h1{font-size:1.6em;margin:.9em 0 .2em}h2{font-size:1.25em;margin:1.8em 0 .5em;padding-top:.4em;border-top:1px solid var(--grid)}h3{font-size:1em;margin:1.2em 0 .3em}
      p{margin:.4em 0;max-width:75ch;overflow-wrap:anywhere}a{color:var(--link)}.soft,figcaption span,th small{color:var(--soft)}
      nav{display:flex;flex-wrap:wrap;gap:4px 14px;margin:.8em 0}
      .warn{border-left:4px solid var(--alarm);padding:.3em .8em;margin:.8em 0}
      .figs{display:grid;grid-template-columns:1fr;gap:18px 20px}
      @media(min-width:900px){.figs{grid-template-columns:1fr 1fr}.figs .wide{grid-column:1/-1}}
      figure{margin:0;min-width:0;break-inside:avoid}figcaption{font-size:.87em;margin-bottom:4px}figcaption b{display:block}
      .fig{display:block;width:100%;height:auto}.scroll{overflow-x:auto}.wide .fig{min-width:760px}
      table{border-collapse:collapse;font-size:.87em;font-variant-numeric:tabular-nums;margin:.4em 0}
      th,td{padding:3px 7px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
      th:first-child,td:first-child,.l{text-align:left}thead th{vertical-align:bottom;white-space:normal;border-bottom:1px solid var(--axis)}
      td.best{font-weight:700}td.tied{font-weight:700;color:var(--soft)}
      th button{all:unset;cursor:pointer;text-decoration:underline dotted}th button:focus-visible,.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
      caption{text-align:left;padding:.4em 0;color:var(--soft)}
      details{margin:.5em 0}summary{cursor:pointer;color:var(--link)}
      pre{overflow-x:auto;font-size:.8em;border:1px solid var(--grid);padding:8px;max-width:100%}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;font-size:.87em}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
      svg.key{display:inline-block;width:14px;height:12px;vertical-align:-1px;margin-right:5px}
      .tools{display:flex;gap:10px;align-items:center;flex-wrap:wrap;font-size:.87em;margin:.4em 0}
      label input{margin-left:6px}.tools input,.tools button,figure button{font:inherit;color:inherit;background:var(--page);border:1px solid var(--axis);padding:1px 7px}
      figure button{font-size:.8em;margin-top:2px}.js{display:none}.on .js{display:inline-block}.on .tools.js{display:flex}
      .pick [data-s]:not(.hit){opacity:.13}.hide{display:none}
      @media print{body{max-width:none}nav,.js,.on .js,.on .tools.js{display:none}details>*{display:block}details::details-content{content-visibility:visible;display:block}.scroll,pre{overflow:visible}pre{white-space:pre-wrap}.figs{grid-template-columns:1fr 1fr}.wide{grid-column:1/-1}th,td{padding:2px 3px;white-space:normal}tbody th,td.l{overflow-wrap:anywhere}table{font-size:.65em}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}a{color:inherit}.wide .fig{min-width:0}}
      \(Palette.styleSheet)
      """
  }()

  private static func colours(_ paper: Palette.Paper) -> String {
    "--page:\(paper.page);--ink:\(paper.ink);--soft:\(paper.soft);--axis:\(paper.axis);--grid:\(paper.grid);--link:\(paper.link);--alarm:\(paper.alarm)"
  }
}
