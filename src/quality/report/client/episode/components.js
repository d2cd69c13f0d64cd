// The checks of an episode: what each measured, scored and weighs.
'use strict';
{
  const { h } = assay;

  /** Every check with what it measured and how much it weighs. */
  assay.componentPanel = (receipt, checks) => {
    const described = new Map(checks.map((check) => [check.id, check]));
    const total = assay.scoredWeight(receipt.checks);
    const { rows, idle } = assay.checkRows(receipt.checks);
    const note = `score ${assay.score(receipt.score)} from ${assay.percent(receipt.graded_fraction)} of the applicable checks`;
    return assay.panel(
      'components',
      'Checks',
      note,
      assay.table(
        'Checks of this episode',
        [['Check'], ['Score'], [''], ['Threshold', 'number'], ['Weight', 'number'], ['Measured']],
        rows.map((component) => componentRow(component, described.get(component.id), total)),
      ),
      idle.length > 0 ? idleList(idle, described) : null,
    );
  };

  function idleList(idle, described) {
    const items = idle.map(({ reason, ids }) =>
      h(
        'li',
        {},
        `${ids.map((id) => described.get(id)?.title ?? id).join(', ')}: `,
        h('span', { class: 'faint' }, reason),
      ),
    );
    return h('ul', { class: 'idle' }, items);
  }

  function componentRow(component, check, total) {
    const name = h('th', { scope: 'row', title: check?.formula ?? '' }, check?.title ?? component.id);
    if (component.status !== 'scored') {
      return h(
        'tr',
        { class: 'is-empty' },
        name,
        h('td', { colspan: 4 }, assay.words(component.status)),
        h('td', {}, component.reason),
      );
    }
    const low = component.score < component.threshold;
    return h(
      'tr',
      {},
      name,
      h(
        'td',
        { class: low ? 'is-low number' : 'number' },
        low ? h('span', { class: 'visually-hidden' }, 'below threshold: ') : null,
        assay.score(component.score),
      ),
      h('td', {}, assay.gauge(component.score, component.threshold)),
      h('td', { class: 'number' }, assay.score(component.threshold)),
      h(
        'td',
        { class: 'number' },
        assay.number(component.weight, 3),
        h('span', { class: 'faint' }, ` ${assay.percent(total > 0 ? component.weight / total : 0)}`),
      ),
      h('td', {}, inputs(component, check)),
    );
  }

  function inputs(component, check) {
    const about = [
      check ? h('p', {}, h('span', { class: 'faint' }, 'Formula '), check.formula) : null,
      check ? h('p', {}, h('span', { class: 'faint' }, 'Threshold based on '), check.threshold_source) : null,
    ];
    const measured = Object.entries(component.inputs);
    const compared = Object.entries(component.compared ?? {});
    return h(
      'details',
      {},
      h('summary', {}, assay.measuredInShort(component.inputs)),
      h(
        'div',
        { class: 'inputs' },
        about,
        list(measured),
        compared.length > 0
          ? [h('p', { class: 'faint' }, 'Compared with other episodes'), list(compared)]
          : null,
      ),
    );
  }

  function list(entries) {
    return h(
      'dl',
      { class: 'values' },
      entries.map(([name, value]) =>
        h('div', {}, h('dt', {}, assay.words(name)), h('dd', {}, h('code', {}, JSON.stringify(value)))),
      ),
    );
  }
}
