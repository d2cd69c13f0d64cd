// What the index page filters, sorts and shows, and the address that says so.
'use strict';
{
  const worstFirst = { by: 'decision', descending: true };
  const worstAtTop = new Set(['decision', 'flags']);

  /** Parts of the page watch; every change filters and sorts once and tells them all. */
  assay.IndexState = class {
    constructor(dataset, columns) {
      Object.assign(this, { dataset, columns, watchers: [], texts: new Array(columns.count), rows: [] });
      this.datasetOf = assay.datasetNames(dataset);
      this.filter = assay.noFilter();
      this.sort = worstFirst;
      this.view = 'table';
    }

    watch(watcher) {
      this.watchers.push(watcher);
    }

    searchText(i) {
      this.texts[i] ??= this.textOf(i).toLowerCase();
      return this.texts[i];
    }

    textOf(i) {
      const { columns, dataset } = this;
      const flags = columns.flags[i].map((flag) => {
        const [code] = dataset.flags[flag];
        return `${code} ${assay.words(code)} ${assay.codeTitle(code)}`;
      });
      const task = dataset.tasks[columns.task[i]] ?? '';
      return `${this.datasetOf(i) ?? ''} ${columns.id[i]} ${task} ${flags.join(' ')}`;
    }

    changed() {
      const { columns, dataset, filter, sort } = this;
      const passed = assay.applyFilter(columns, filter, (i) => this.searchText(i));
      const flagCounts = assay.flagCounts(columns, passed, dataset.flags.length);
      this.rows = assay.sortRows(columns, passed, { ...sort, checks: dataset.checks.length });
      const now = { rows: this.rows, filter, sort, view: this.view, flagCounts };
      for (const watcher of this.watchers) watcher(now);
    }

    get isFiltered() {
      const { text, from, to, decisions, flags, kinds } = this.filter;
      return text !== '' || from > 0 || to < 1 || decisions.size + flags.size + kinds.size > 0;
    }

    set(change) {
      this.filter = { ...this.filter, ...change };
      this.update();
    }

    toggle(name, value) {
      const next = new Set(this.filter[name]);
      if (!next.delete(value)) next.add(value);
      this.set({ [name]: next });
    }

    clear() {
      this.filter = assay.noFilter();
      this.update();
    }

    sortBy(by) {
      const again = this.sort.by === by;
      this.sort = { by, descending: again ? !this.sort.descending : worstAtTop.has(by) };
      this.update();
    }

    sortByCheck(check) {
      const again = this.sort.by === 'check' && this.sort.check === check;
      this.sort = { by: 'check', check, descending: again && !this.sort.descending };
      this.update();
      document.querySelector('.list')?.scrollIntoView({ block: 'start' });
    }

    show(view) {
      this.view = view;
      this.update();
    }

    update() {
      this.changed();
      this.writeAddress();
    }

    /** The episode pages walk through the episodes in the order shown here. */
    keepOrder() {
      assay.storage.set(
        'order',
        JSON.stringify({ title: this.dataset.title, rows: [...this.rows] }),
        'session',
      );
    }

    writeAddress() {
      const { filter, sort, dataset } = this;
      const list = (chosen, name) => [...chosen].map(name).join(',');
      const parts = {
        q: filter.text,
        decision: list(filter.decisions, (index) => assay.decisions[index]),
        flag: list(filter.flags, (index) => dataset.flags[index][0]),
        kind: list(filter.kinds, (index) => dataset.kinds[index]),
        from: filter.from > 0 ? String(filter.from) : '',
        to: filter.to < 1 ? String(filter.to) : '',
        sort:
          sort.by === 'decision' && sort.descending
            ? ''
            : `${sort.descending ? '-' : ''}${sort.by === 'check' ? `check:${dataset.checks[sort.check].id}` : sort.by}`,
        view: this.view === 'table' ? '' : this.view,
      };
      const words = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''));
      try {
        history.replaceState(null, '', words.size > 0 ? `#${words}` : location.pathname);
      } catch {
        // Some browsers keep file:// addresses as they are; the filter works without.
      }
    }

    readAddress() {
      const words = new URLSearchParams(location.hash.slice(1));
      const { dataset, columns } = this;
      const list = (name, find) =>
        new Set(
          (words.get(name) ?? '')
            .split(',')
            .map(find)
            .filter((index) => index >= 0),
        );
      this.filter = {
        text: words.get('q') ?? '',
        decisions: list('decision', (name) => assay.decisions.indexOf(name)),
        flags: list('flag', (name) => dataset.flags.findIndex(([code]) => code === name)),
        kinds: list('kind', (name) => dataset.kinds.indexOf(name)),
        from: bound(words.get('from'), 0),
        to: bound(words.get('to'), 1),
      };
      const pictureSet = columns.poster.includes(1) && columns.duration_s.every((seconds) => seconds === 0);
      this.view =
        words.get('view') === 'pictures' || (pictureSet && words.get('view') !== 'table')
          ? 'pictures'
          : 'table';
      this.sort = readSort(words.get('sort'), dataset) ?? worstFirst;
      this.changed();
    }
  };

  function bound(text, otherwise) {
    const value = Number.parseFloat(text ?? '');
    return value >= 0 && value <= 1 ? value : otherwise;
  }

  function readSort(text, dataset) {
    const match = /^(-?)(index|id|decision|score|duration|flags|check)(?::(\w+))?$/.exec(text ?? '');
    if (!match) return null;
    const sort = { by: match[2], descending: match[1] === '-' };
    if (sort.by !== 'check') return sort;
    sort.check = dataset.checks.findIndex((check) => check.id === match[3]);
    return sort.check >= 0 ? sort : null;
  }
}
