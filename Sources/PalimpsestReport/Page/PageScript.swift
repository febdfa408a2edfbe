/// What the page can do where scripts are on: sort tables, point at a strategy everywhere, find configurations, copy a figure's
/// specification. All numbers are there without it.
enum PageScript {
  static let text = """
    (function(){var d=document,b=d.body;b.classList.add('on');
    function all(q,r){return Array.prototype.slice.call((r||d).querySelectorAll(q))}
    all('table.sort').forEach(function(t){all('thead th',t).forEach(function(h,i){
    var k=d.createElement('button');while(h.firstChild)k.appendChild(h.firstChild);k.type='button';h.appendChild(k);
    k.addEventListener('click',function(){var up=h.getAttribute('aria-sort')==='descending';
    all('thead th',t).forEach(function(o){o.removeAttribute('aria-sort')});h.setAttribute('aria-sort',up?'ascending':'descending');
    var body=t.tBodies[0],rows=all('tr',body);rows.sort(function(x,y){var p=x.cells[i],q=y.cells[i],u=p.getAttribute('data-v'),v=q.getAttribute('data-v');
    var r;if(u===null&&v===null){r=p.textContent.localeCompare(q.textContent)}else{r=(u===null||u===''?-Infinity:+u)-(v===null||v===''?-Infinity:+v)}
    return up?r:-r});rows.forEach(function(r){body.appendChild(r)})})})});
    var held=null;function pick(s){all('.hit').forEach(function(e){e.classList.remove('hit')});b.classList.toggle('pick',s!==null);
    if(s!==null)all('[data-s="'+s+'"]').forEach(function(e){e.classList.add('hit')})}
    d.addEventListener('click',function(e){if(e.target.closest('button'))return;var g=e.target.closest('[data-s]');
    var s=g?g.getAttribute('data-s'):null;held=s===held?null:s;pick(held)});
    d.addEventListener('keydown',function(e){if(e.key==='Escape'){held=null;pick(null)}});
    all('input.find').forEach(function(f){f.addEventListener('input',function(){var w=f.value.toLowerCase();
    all('table.sort tbody tr').forEach(function(r){r.classList.toggle('hide',r.textContent.toLowerCase().indexOf(w)<0)})})});
    all('button.copy').forEach(function(k){k.addEventListener('click',function(){var s=d.getElementById(k.getAttribute('data-for'));
    if(s&&navigator.clipboard)navigator.clipboard.writeText(s.textContent).then(function(){k.textContent='copied'})})});
    })();
    """
}
