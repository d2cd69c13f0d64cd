// Building blocks of an episode's page.
'use strict';
{
  const { h } = assay;

  /** A section with a heading and a note beside it. */
  assay.panel = (id, title, note, ...content) => {
    return h(
      'section',
      { class: `panel ${id}`, 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title` }, title, note ? h('span', { class: 'tally' }, note) : null),
      content,
    );
  };

  /** A table that scrolls sideways where it does not fit; heads are [text, class]. */
  assay.table = (label, heads, rows) => {
    const head = h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map(([text, kind]) => h('th', { scope: 'col', class: kind ?? '' }, text)),
      ),
    );
    return h(
      'div',
      { class: 'scroller' },
      h(
        'table',
        { class: 'plain' },
        h('caption', { class: 'visually-hidden' }, label),
        head,
        h('tbody', {}, rows),
      ),
    );
  };

  /** A score on 0..1 with the threshold as a tick. */
  assay.gauge = (score, threshold) =>
    h('span', {
      class: `gauge${score < threshold ? ' is-low' : ''}`,
      role: 'img',
      'aria-label': `${assay.score(score)}, threshold ${assay.score(threshold)}`,
      style: { '--value': String(score), '--threshold': String(threshold) },
    });
}
