// What an episode was read from: streams, clocks, grippers, sources, and what was not evaluated.
'use strict';
{
  const { h } = assay;

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
    return assay.panel(
      'streams',
      'Streams and clocks',
      '',
      assay.table(
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
            ? 'Open position unknown'
            : `Open at ${assay.number(gripper.open_value)}`,
          h('span', { class: 'faint' }, ` – ${assay.words(gripper.evidence)}: ${gripper.reason}`),
        ),
      ),
    );
    return assay.panel('grippers', 'Gripper convention', '', h('ul', { class: 'stack' }, items));
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
            ? h('span', { class: 'is-low' }, 'missing or unreadable: no hash')
            : h('code', { class: 'hash faint' }, source.sha256),
        ),
      ),
    );
    return assay.panel(
      'sources',
      'Sources',
      '',
      h('p', { class: 'locator' }, `${locator.format}: `, h('code', { class: 'path' }, locator.path), span),
      h('ul', { class: 'stack' }, items),
    );
  };

  assay.limitPanel = (receipt) => {
    if (receipt.limits.length === 0) return null;
    return assay.panel(
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
