// What is wrong with episodes, each once, with what to do about all that have it.
'use strict';
{
  const { h } = assay;
  const shown = 4;

  /** Every flag and finding with the numbers of its episodes and one action; null where nothing is wrong. */
  assay.issuePanel = (dataset, state) => {
    const items = dataset.issues.map((issue) => item(issue, dataset, state));
    if (items.length === 0) return null;
    const rest = items.slice(shown);
    return h(
      'section',
      { class: 'panel findings issues', 'aria-labelledby': 'issues-title' },
      h('h2', { id: 'issues-title' }, 'What to do'),
      h('ul', {}, items.slice(0, shown)),
      rest.length > 0 ? h('details', {}, h('summary', {}, `${rest.length} more`), h('ul', {}, rest)) : null,
    );
  };

  function item({ code, severity, source, advice, episodes }, dataset, state) {
    const flag = source === 'flag' ? dataset.flags.findIndex(([each]) => each === code) : -1;
    const name = h('b', {}, assay.codeTitle(code));
    const head =
      flag < 0
        ? name
        : h(
            'button',
            {
              type: 'button',
              class: 'issue',
              title: 'Show these episodes',
              on: { click: () => choose(state, flag) },
            },
            name,
          );
    return h(
      'li',
      { class: `finding is-${severity}` },
      assay.glyph(severity),
      h(
        'div',
        {},
        h('p', { class: 'finding-head' }, head, ` ${episodes}`),
        h('p', { class: 'advice' }, advice),
      ),
    );
  }

  function choose(state, flag) {
    state.set({ flags: new Set([flag]) });
    document.querySelector('.list')?.scrollIntoView({ block: 'start' });
  }
}
