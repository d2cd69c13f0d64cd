/* Search over all pages, in the browser alone. What it needs is loaded when somebody is about to search. */
(() => {
  const root = document.documentElement.dataset.root;
  const field = document.querySelector('.search input');
  const found = document.querySelector('.found');
  let search = null;

  const load = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}assets/${name}`;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${name} is missing`));
      document.head.append(script);
    });

  async function prepare() {
    await Promise.all([load('minisearch.js'), load('passages.js')]);
    const index = new globalThis.MiniSearch({
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'text', 'href'],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    });
    index.addAll(globalThis.assayPassages.map((passage, id) => ({ id, ...passage })));
    return index;
  }

  function excerpt(text, terms) {
    const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
    const at = Math.max(0, Math.min(...places, text.length) - 50) % Math.max(1, text.length);
    return `${at > 0 ? '… ' : ''}${text.slice(at, at + 150)}${at + 150 < text.length ? ' …' : ''}`;
  }

  function entry({ href, title, page, text, terms }) {
    const link = document.createElement('a');
    link.href = root + href;
    const head = document.createElement('b');
    head.textContent = title;
    const where = document.createElement('span');
    where.className = 'faint';
    where.textContent = title === page ? '' : ` ${page}`;
    const said = document.createElement('p');
    said.textContent = excerpt(text, terms);
    link.append(head, where, said);
    return link;
  }

  async function show() {
    const asked = field.value.trim();
    found.hidden = asked === '';
    if (asked === '') return;
    search ??= prepare();
    const index = await search;
    if (field.value.trim() !== asked) return;
    const entries = index.search(asked).slice(0, 12).map(entry);
    const none = document.createElement('p');
    none.textContent = `No results for “${asked}”.`;
    found.replaceChildren(...(entries.length > 0 ? entries : [none]));
  }

  /** Arrows go through what was found, Escape leaves it. */
  function go(event) {
    const links = [field, ...found.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      field.value = '';
      found.hidden = true;
      field.focus();
    } else if (event.key === 'Enter' && document.activeElement === field) links[1]?.click();
    else if (step !== undefined) {
      event.preventDefault();
      links[(links.indexOf(document.activeElement) + step + links.length) % links.length].focus();
    }
  }

  field.addEventListener('focus', () => {
    search ??= prepare();
  });
  field.addEventListener('input', show);
  field.parentElement.addEventListener('keydown', go);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest?.('input') || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('.search')) found.hidden = true;
  });
  // On a phone the list of pages would fill the screen.
  const pages = document.querySelector('.contents details');
  if (matchMedia('(max-width: 800px)').matches) pages.open = false;
})();
