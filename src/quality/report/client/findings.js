// Findings, on either page.
'use strict';
{
  const { h, count, plural } = assay;

  /** What could not be measured, told like a finding. */
  assay.notFinished = ({ incomplete }) =>
    incomplete.map(({ path, reason, advice }) => ({
      ...{ severity: 'error', code: 'not_finished', path, message: reason, advice },
    }));

  const fewestAlike = 3;

  /** Findings of one code and one advice together, where they are several. */
  function alike(sorted) {
    const groups = new Map();
    for (const finding of sorted) {
      const key = `${finding.severity} ${finding.code} ${finding.advice}`;
      groups.set(key, [...(groups.get(key) ?? []), finding]);
    }
    return [...groups.values()].flatMap((group) =>
      group.length < fewestAlike ? group.map((finding) => [finding]) : [group],
    );
  }

  /** `and 47 more like it`, with the first of their paths. */
  function likeIt(others) {
    const paths = [...new Set(others.map(({ path }) => path).filter(Boolean))];
    const named = paths.slice(0, 3).join(', ');
    const more = paths.length > 3 ? ', …' : '';
    return [
      `and ${count(others.length)} more of this kind`,
      named ? [': ', h('code', { class: 'path' }, named + more)] : '',
    ];
  }

  /** What was found of the dataset as a whole. */
  assay.findingsPanel = (findings, title = 'Dataset findings') => {
    const order = { blocking: 0, error: 1, warning: 2, info: 3 };
    const sorted = findings.slice().sort((a, b) => order[a.severity] - order[b.severity]);
    const shown = 5;
    const groups = alike(sorted);
    const items = groups.map(([finding, ...others]) =>
      h(
        'li',
        { class: `finding is-${finding.severity}` },
        assay.glyph(finding.severity),
        h(
          'div',
          {},
          h(
            'p',
            { class: 'finding-head' },
            h('b', {}, finding.message),
            ' ',
            h('code', { class: 'faint' }, finding.code),
          ),
          finding.path && !finding.message.includes(finding.path)
            ? h('p', {}, h('code', { class: 'path' }, finding.path))
            : null,
          others.length > 0 ? h('p', {}, likeIt(others)) : null,
          h('p', { class: 'advice' }, finding.advice),
        ),
      ),
    );
    const rest = items.slice(shown);
    return h(
      'section',
      { class: 'panel findings', 'aria-labelledby': 'findings-title' },
      h(
        'h2',
        { id: 'findings-title' },
        title,
        h('span', { class: 'tally' }, findings.length > 0 ? plural(findings.length, 'finding') : ''),
      ),
      items.length === 0
        ? h('p', { class: 'faint' }, 'No dataset findings.')
        : h('ul', {}, items.slice(0, shown)),
      rest.length > 0
        ? h('details', {}, h('summary', {}, `${count(rest.length)} more`), h('ul', {}, rest))
        : null,
    );
  };
}
