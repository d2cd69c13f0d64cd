// The parts of an episode's page below the timeline: checks, streams, sources, limits.
'use strict';
{
  const { h } = assay;

  function panel(id, title, note, ...content) {
    return h(
      'section',
      { class: `panel ${id}`, 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title` }, title, note ? h('span', { class: 'tally' }, note) : null),
      content,
    );
  }

  function table(label, heads, rows) {
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
  }

  /** What was flagged, worst first, each with the way to its place on the timeline. */
  assay.flagPanel = (receipt, timeline) => {
    if (receipt.flags.length === 0)
      return panel('flags', 'Flags', '', h('p', { class: 'faint' }, 'No check raised a flag.'));
    return panel(
      'flags',
      'Flags',
      assay.plural(receipt.flags.length, 'flag'),
      h(
        'ol',
        { class: 'flag-list' },
        flagGroups(receipt).map((group) => flagItem(group, timeline)),
      ),
    );
  };

  /** Flags of one code together, worst first: a stalled recorder leaves a gap in every stream. */
  function flagGroups(receipt) {
    const groups = new Map();
    for (const [index, flag] of receipt.flags.entries()) {
      const key = `${flag.check} ${flag.code}`;
      groups.set(key, [...(groups.get(key) ?? []), { flag, index }]);
    }
    const rank = ([{ flag }]) => (flag.severity === 'blocking' ? 0 : 1);
    const worst = (group) => Math.min(...group.map(({ flag }) => flag.score));
    return [...groups.values()].sort((a, b) => rank(a) - rank(b) || worst(a) - worst(b));
  }

  const shownMarks = 6;

  function flagItem(group, timeline) {
    const { flag } = group[0];
    const score = Math.min(...group.map((each) => each.flag.score));
    const advices = [...new Set(group.map((each) => each.flag.advice))];
    return h(
      'li',
      { class: `flag is-${flag.severity}` },
      assay.glyph(flag.severity),
      h(
        'div',
        { class: 'flag-text' },
        h(
          'p',
          { class: 'flag-head' },
          h('b', {}, assay.words(flag.code)),
          h('span', { class: 'faint' }, `${flag.severity}, ${assay.words(flag.check)}`),
        ),
        group.map((each) => [h('p', {}, each.flag.message), places(each, timeline)]),
        advices.map((advice) => h('p', { class: 'advice' }, advice)),
      ),
      h(
        'div',
        { class: 'flag-score' },
        assay.gauge(score, flag.threshold),
        h('span', {}, assay.score(score)),
        h('span', { class: 'faint' }, ` of ${assay.score(flag.threshold)}`),
      ),
    );
  }

  /** The ways to where a flag's marks lie. */
  function places({ flag, index }, timeline) {
    if (timeline.lanes.length === 0 || !timeline.hasLength) return null;
    if (flag.marks.length === 0) return h('p', { class: 'places faint' }, 'concerns the whole episode');
    const links = flag.marks.slice(0, shownMarks).map((mark) =>
      h(
        'button',
        {
          type: 'button',
          class: 'place',
          title: mark.stream,
          on: { click: () => go(timeline, index, mark) },
        },
        assay.span(mark),
      ),
    );
    const rest = flag.marks.length - links.length;
    return h(
      'p',
      { class: 'places' },
      h('span', { class: 'faint' }, 'at'),
      links,
      rest > 0 ? h('span', { class: 'faint' }, `and ${assay.count(rest)} more`) : null,
    );
  }

  function go(timeline, index, mark) {
    timeline.choose(index, mark);
    timeline.reveal(mark);
    timeline.element.focus({ preventScroll: true });
  }

  /** A score on 0..1 with the threshold as a tick. */
  assay.gauge = (score, threshold) =>
    h('span', {
      class: `gauge${score < threshold ? ' is-low' : ''}`,
      role: 'img',
      'aria-label': `${assay.score(score)}, threshold ${assay.score(threshold)}`,
      style: { '--value': String(score), '--threshold': String(threshold) },
    });

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
    return panel(
      'components',
      'Checks',
      note,
      table(
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

  /** Streams with their clocks and units, and what these rest on. */
  assay.streamPanel = (receipt) => {
    const rows = receipt.streams.map((stream) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, h('code', {}, stream.id)),
        h('td', {}, stream.role),
        h('td', { class: 'number' }, stream.shape.join('×')),
        h('td', { class: 'number' }, assay.count(stream.sample_count)),
        h('td', { class: 'number' }, rate(stream)),
        h('td', { title: stream.unit.reason }, unitText(stream.unit)),
        h(
          'td',
          {},
          stream.clock
            ? [
                h('code', {}, stream.clock.name),
                ` ${stream.clock.provenance}`,
                h(
                  'span',
                  { class: 'faint' },
                  ` – ${stream.clock.reason}`,
                  stream.clock.others.length > 0 ? `; also ${stream.clock.others.join(', ')}` : '',
                ),
              ]
            : h('span', { class: 'faint' }, 'no clock'),
        ),
      ),
    );
    return panel(
      'streams',
      'Streams and clocks',
      '',
      table(
        'Streams',
        [
          ['Stream'],
          ['Role'],
          ['Shape', 'number'],
          ['Samples', 'number'],
          ['Rate', 'number'],
          ['Unit'],
          ['Clock'],
        ],
        rows,
      ),
    );
  };

  function unitText({ unit, evidence }) {
    if (unit === 'unknown') return h('span', { class: 'faint' }, 'unknown');
    return [unit, h('span', { class: 'faint' }, ` ${assay.words(evidence)}`)];
  }

  function rate({ measured_rate_hz: measured, declared_rate_hz: declared }) {
    if (measured === null && declared === null) return '–';
    const differs = measured !== null && declared !== null && Math.abs(measured - declared) > 0.02 * declared;
    return [
      `${assay.number(measured ?? declared)} Hz`,
      measured === null
        ? h('span', { class: 'faint' }, ' declared')
        : differs
          ? h('span', { class: 'is-low' }, ` declared ${assay.number(declared)}`)
          : null,
    ];
  }

  assay.gripperPanel = (receipt) => {
    if (receipt.grippers.length === 0) return null;
    const items = receipt.grippers.map((gripper) =>
      h(
        'li',
        {},
        h(
          'p',
          {},
          h('code', {}, `${gripper.stream}[${gripper.dimension}]`),
          gripper.name ? ` ${gripper.name}` : '',
          `, ${assay.number(gripper.range_observed[0])} … ${assay.number(gripper.range_observed[1])}`,
          gripper.unit === 'unknown' ? '' : ` ${gripper.unit}`,
        ),
        h(
          'p',
          {},
          gripper.open_value === null
            ? 'Which end is open is not known'
            : `Open at ${assay.number(gripper.open_value)}`,
          h('span', { class: 'faint' }, ` – ${assay.words(gripper.evidence)}: ${gripper.reason}`),
        ),
      ),
    );
    return panel('grippers', 'Gripper convention', '', h('ul', { class: 'stack' }, items));
  };

  assay.sourcePanel = (receipt) => {
    const { locator } = receipt.episode;
    const span = locator.span
      ? `, ${{ row: 'rows', s: 'seconds', record: 'records' }[locator.span.unit]} ${assay.number(locator.span.from, 9)} to ${assay.number(locator.span.to, 9)}`
      : '';
    const items = receipt.sources.map((source) =>
      h(
        'li',
        {},
        h(
          'p',
          {},
          h('code', { class: 'path' }, source.path),
          h('span', { class: 'faint' }, ` ${source.role}, ${assay.count(source.bytes)} bytes`),
        ),
        h(
          'p',
          {},
          source.sha256 === null
            ? h('span', { class: 'is-low' }, 'absent or unreadable: no hash')
            : h('code', { class: 'hash faint' }, source.sha256),
        ),
      ),
    );
    return panel(
      'sources',
      'Sources',
      '',
      h('p', { class: 'locator' }, `${locator.format}: `, h('code', { class: 'path' }, locator.path), span),
      h('ul', { class: 'stack' }, items),
    );
  };

  assay.limitPanel = (receipt) => {
    if (receipt.limits.length === 0) return null;
    return panel(
      'limits',
      'Not evaluated',
      '',
      h(
        'ul',
        { class: 'bullets' },
        receipt.limits.map((limit) => h('li', {}, limit)),
      ),
    );
  };
}
