// Findings, on either page.
'use strict';
{
  const { h, count, plural } = assay;

  /** What could not be measured, told like a finding. */
  assay.notFinished = ({ incomplete }) =>
    incomplete.map(({ path, reason, advice }) => ({
      ...{ severity: 'error', code: 'not_finished', path, message: reason, advice },
    }));

  /** What was found of the dataset as a whole. */
  assay.findingsPanel = (findings, title = 'The dataset as a whole') => {
    const order = { error: 0, warning: 1, info: 2 };
    const sorted = findings.slice().sort((a, b) => order[a.severity] - order[b.severity]);
    const shown = 5;
    const items = sorted.map((finding) =>
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
          finding.path ? h('p', {}, h('code', { class: 'path' }, finding.path)) : null,
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
        ? h('p', { class: 'faint' }, 'Nothing is wrong with the dataset as a whole.')
        : h('ul', {}, items.slice(0, shown)),
      rest.length > 0
        ? h('details', {}, h('summary', {}, `${count(rest.length)} more`), h('ul', {}, rest))
        : null,
    );
  };
}
