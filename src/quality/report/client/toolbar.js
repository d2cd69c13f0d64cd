// The line above the table: search, filters, how to see the episodes.
'use strict';
{
  const { h, count } = assay;

  /** Sticks to the top while the episodes scroll. */
  assay.toolbar = (dataset, columns, state) => {
    const search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: 'Search id, task, flag',
      'aria-label': 'Search episodes by id, task or flag',
      'aria-keyshortcuts': '/',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    search.addEventListener('input', () => state.set({ text: search.value }));
    const [from, to] = scoreFields(state);
    const flag = flagSelect(dataset, state);
    const kind = dataset.kinds.length > 1 ? kindSelect(dataset, state) : null;
    const shown = h('p', { class: 'shown', role: 'status', 'aria-live': 'polite' });
    const clear = h(
      'button',
      { type: 'button', class: 'quiet', on: { click: () => state.clear() } },
      'Clear filters',
    );
    const decisions = decisionToggles(state);
    state.watch(({ rows, filter }) => {
      if (search.value !== filter.text) search.value = filter.text;
      shown.replaceChildren(
        h('b', {}, count(rows.length)),
        rows.length === columns.count ? ' episodes' : ` of ${count(columns.count)}`,
      );
      clear.hidden = !state.isFiltered;
    });
    keys(search, state);
    return h(
      'div',
      { class: 'toolbar', role: 'search' },
      h('div', { class: 'field search-field' }, search, h('kbd', { 'aria-hidden': 'true' }, '/')),
      decisions,
      h(
        'div',
        { class: 'field range' },
        h('span', {}, 'Score'),
        from,
        h('span', { class: 'faint' }, '–'),
        to,
      ),
      flag,
      kind,
      viewToggle(columns, state),
      shown,
      clear,
    );
  };

  function keys(search, state) {
    addEventListener('keydown', (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        search.focus();
        search.select();
      }
      if (event.key === 'Escape' && (event.target === search || !typing)) state.clear();
    });
  }

  function decisionToggles(state) {
    const buttons = assay.decisions.map((decision, index) =>
      h(
        'button',
        {
          type: 'button',
          class: `toggle is-${decision}`,
          'aria-pressed': 'false',
          'aria-label': `Only ${decision}`,
          title: `Only ${decision}`,
          on: { click: () => state.toggle('decisions', index) },
        },
        assay.glyph(decision),
      ),
    );
    state.watch(({ filter }) => {
      for (const [index, button] of buttons.entries())
        button.setAttribute('aria-pressed', String(filter.decisions.has(index)));
    });
    return h('div', { class: 'toggles', role: 'group', 'aria-label': 'Decision' }, buttons);
  }

  function scoreFields(state) {
    return ['from', 'to'].map((bound) => {
      const input = h('input', {
        type: 'number',
        min: 0,
        max: 1,
        step: 0.05,
        'aria-label': bound === 'from' ? 'Lowest score' : 'Highest score',
      });
      input.addEventListener('change', () => {
        const value = Number.parseFloat(input.value);
        state.set({
          [bound]: Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : bound === 'from' ? 0 : 1,
        });
      });
      state.watch(({ filter }) => {
        if (document.activeElement !== input) input.value = filter[bound].toString();
      });
      return input;
    });
  }

  function select(label, options, read, write, state) {
    const element = h(
      'select',
      { 'aria-label': label },
      h('option', { value: '' }, label),
      options.map(([value, text]) => h('option', { value }, text)),
    );
    element.addEventListener('change', () => write(element.value));
    state.watch(({ filter }) => {
      element.value = read(filter);
      element.classList.toggle('is-set', element.value !== '');
    });
    return element;
  }

  function flagSelect(dataset, state) {
    const options = dataset.flags
      .map(([code], index) => [String(index), assay.codeTitle(code)])
      .sort((a, b) => (a[1] < b[1] ? -1 : 1));
    const several = 'several';
    return select(
      'Any flag',
      [...options, [several, 'several flags']],
      ({ flags }) => (flags.size === 0 ? '' : flags.size === 1 ? String([...flags][0]) : several),
      (value) => value !== several && state.set({ flags: new Set(value === '' ? [] : [Number(value)]) }),
      state,
    );
  }

  function kindSelect(dataset, state) {
    return select(
      'Any kind',
      dataset.kinds.map((kind, index) => [String(index), kind]),
      ({ kinds }) => (kinds.size === 0 ? '' : String([...kinds][0])),
      (value) => state.set({ kinds: new Set(value === '' ? [] : [Number(value)]) }),
      state,
    );
  }

  function viewToggle(columns, state) {
    if (!columns.poster.includes(1)) return null;
    const buttons = ['table', 'pictures'].map((view) =>
      h(
        'button',
        { type: 'button', class: 'toggle', on: { click: () => state.show(view) } },
        view === 'table' ? 'Table' : 'Images',
      ),
    );
    state.watch(({ view }) => {
      buttons[0].setAttribute('aria-pressed', String(view === 'table'));
      buttons[1].setAttribute('aria-pressed', String(view === 'pictures'));
    });
    return h('div', { class: 'toggles', role: 'group', 'aria-label': 'View' }, buttons);
  }
}
