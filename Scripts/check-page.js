// What Scripts/check-page.py asks of a page as it is laid out. Gives a list of "place: what".
() => {
  const found = [], report = (place, what) => found.push(`${place}: ${what}`);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const short = text => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 60));
  const placeOf = element => {
    const named = element.closest('[id]');
    return element.tagName.toLowerCase() + (named ? ` in ${named.id}` : '');
  };

  // Colours.
  const parsed = text => {
    const parts = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const over = (above, alpha, below) => below.map((c, i) => above[i] * alpha + c * (1 - alpha));
  const luminance = rgb => {
    const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const opacity = element => {
    let product = 1;
    for (let e = element; e; e = e.parentElement) product *= Number(getComputedStyle(e).opacity);
    return product;
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = parsed(getComputedStyle(e).backgroundColor);
      if (colour.alpha > 0) layers.push(colour);
      if (colour.alpha === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer.rgb, layer.alpha, below), [255, 255, 255]);
  };
  const judge = (place, text, colour, alpha, below) => {
    const ratio = contrast(over(colour.rgb, colour.alpha * alpha, below), below);
    if (ratio < 4.495) report(place, `${short(text)} has a contrast of ${ratio.toFixed(2)}, less than 4.5`);
  };

  // Of a text without the air that a line has for accents, an eighth of its height.
  const boxOf = element => {
    const b = element.getBoundingClientRect();
    return { left: b.left, right: b.right, top: element.hasAttribute('transform') ? b.top : b.top + b.height / 8, bottom: b.bottom };
  };

  // Figures.
  for (const figure of all('svg.fig[role=img]')) {
    const place = figure.closest('figure')?.id || placeOf(figure), box = figure.getBoundingClientRect();
    if (!(box.width > 100 && box.height > 20)) { report(place, `is ${box.width} × ${box.height} pixels`); continue; }
    for (const part of ['title', 'desc']) {
      if (!figure.querySelector(`:scope > ${part}`)?.textContent.trim()) report(place, `has no ${part}`);
    }
    const scale = box.width / figure.viewBox.baseVal.width, page = behind(figure);
    const rectangles = all('rect, path[fill]', figure).map(e => ({ element: e, box: e.getBoundingClientRect() }));
    const texts = all('text', figure).filter(e => e.textContent.trim()).map(e => ({ element: e, box: boxOf(e) }));
    for (const { element, box: b } of texts) {
      const x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
      const below = rectangles.filter(r => r.box.left <= x && r.box.right >= x && r.box.top <= y && r.box.bottom >= y
        && r.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING).reduce((colour, r) => {
          const fill = parsed(getComputedStyle(r.element).fill);
          return over(fill.rgb, fill.alpha * opacity(r.element), colour);
        }, page);
      judge(place, element.textContent, parsed(getComputedStyle(element).fill), opacity(element), below);
      if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1)
        report(place, `${short(element.textContent)} reaches beyond the figure`);
    }
    // In the drawing's own pixels: on a narrow page all shrinks together.
    texts.forEach((one, i) => texts.slice(i + 1).forEach(other => {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > scale && down > scale)
        report(place, `${short(one.element.textContent)} and ${short(other.element.textContent)} overlap`);
    }));
  }

  // Text of the page.
  for (const element of all('body *:not(script, style, svg, svg *)')) {
    const text = Array.from(element.childNodes).filter(n => n.nodeType === 3).map(n => n.data).join('');
    if (!text.trim() || !element.checkVisibility()) continue;
    judge(placeOf(element), text, parsed(getComputedStyle(element).color), opacity(element), behind(element));
  }

  // What a screen reader and a keyboard need.
  const levels = all('h1, h2, h3, h4, h5, h6').map(e => ({ element: e, level: Number(e.tagName[1]) }));
  levels.forEach(({ element, level }, i) => {
    if (level > (i ? levels[i - 1].level : 0) + 1) report(placeOf(element), `heading ${short(element.textContent)} skips a level`);
  });
  if (levels.filter(h => h.level === 1).length !== 1) report('headings', 'not exactly one of level 1');
  for (const cell of all('th:not([scope])')) report(placeOf(cell), `heading ${short(cell.textContent)} has no scope`);
  for (const element of all('body *')) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1;
    if ((scrolls || element.matches('.scroll')) && element.tabIndex < 0) report(placeOf(element), 'scrolls and takes no focus');
    if (element.matches('.scroll') && !element.getAttribute('aria-label')) report(placeOf(element), 'scrolls and has no name');
  }
  const ids = all('[id]').map(e => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) report(id, 'this id is there twice');
  for (const element of all('[aria-labelledby]')) {
    for (const id of element.getAttribute('aria-labelledby').split(' ')) {
      if (!document.getElementById(id)) report(placeOf(element), `is called by ${id}, which is not there`);
    }
  }

  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) {
    const wide = all('body *').filter(e => !e.closest('.scroll, pre') && e.getBoundingClientRect().right > innerWidth + 1);
    report(wide.length ? placeOf(wide[wide.length - 1]) : 'page', `the page is ${root.scrollWidth} pixels wide and scrolls sideways`);
  }
  return found;
}
