// The checks of an episode: what each measured, scored and weighs.
'use strict';
{
  const { h } = assay;

  /** Every check with what it measured and how much it weighs. */
  assay.componentPanel = (receipt, checks) => {
    const described = new Map(checks.map((check) => [check.id, check]));
    const total = receipt.checks.reduce(
      (sum, check) => sum + (check.status === 'scored' ? check.weight : 0),
      0,
    );
    const idle = receipt.checks.filter(isIdle);
    const rows = receipt.checks
      .filter((component) => !isIdle(component))
      .map((component) => componentRow(component, described.get(component.id), total));
    const note = `score ${assay.score(receipt.score)} from ${assay.percent(receipt.graded_fraction)} of what applies`;
    return assay.panel(
      'components',
      'Checks',
      note,
      assay.table(
        'Checks of this episode',
        [['Check'], ['Score'], [''], ['Threshold', 'number'], ['Weight', 'number'], ['Measured']],
        rows,
      ),
      idle.length > 0 ? idleList(idle, described) : null,
    );
  };

  /** Checks that do not concern this episode; those that should and could not be measured are not among them. */
  function isIdle({ status }) {
    return status === 'inapplicable' || status === 'disabled';
  }

  function idleList(idle, described) {
    const byReason = new Map();
    for (const { id, reason } of idle)
      byReason.set(reason, [...(byReason.get(reason) ?? []), described.get(id)?.title ?? id]);
    const items = [...byReason].map(([reason, titles]) =>
      h('li', {}, `${titles.join(', ')}: `, h('span', { class: 'faint' }, reason)),
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
      check ? h('p', {}, h('span', { class: 'faint' }, 'Threshold from '), check.threshold_source) : null,
    ];
    const measured = Object.entries(component.inputs);
    const compared = Object.entries(component.compared ?? {});
    return h(
      'details',
      {},
      h('summary', {}, summary(measured)),
      h(
        'div',
        { class: 'inputs' },
        about,
        list(measured),
        compared.length > 0
          ? [h('p', { class: 'faint' }, 'Beside the other episodes'), list(compared)]
          : null,
      ),
    );
  }

  const units = [
    ['_s', ' s'],
    ['_ms', ' ms'],
    ['_hz', ' Hz'],
    ['_px', ' px'],
    ['_rad', ' rad'],
    ['_m', ' m'],
  ];

  /** `duration_s`, 13.1 as `duration 13.1 s`. */
  function quantity([name, value]) {
    const [suffix, unit] = units.find(([ending]) => name.endsWith(ending)) ?? ['', ''];
    return `${assay.words(name.slice(0, name.length - suffix.length))} ${assay.number(value)}${unit}`;
  }

  function summary(entries) {
    const plain = entries.filter(([, value]) => typeof value === 'number').slice(0, 3);
    return plain.length > 0 ? plain.map(quantity).join(', ') : assay.plural(entries.length, 'value');
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
