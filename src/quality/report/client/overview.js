// The upper half of the index: the verdict in a sentence, scores, findings, checks.
'use strict';
{
  const { h, count, percent, plural } = assay;

  /** `7 of 10 episodes are fit to train on.` with a bar of the decisions that filters. */
  assay.verdict = (dataset, columns, state) => {
    const { decisions } = dataset.dataset;
    const total = columns.count;
    const shares = assay.decisions.map((decision) => (total > 0 ? decisions[decision] / total : 0));
    const segments = assay.decisions.map((decision, index) =>
      shares[index] > 0
        ? h('span', { class: `segment is-${decision}`, style: { '--share': String(shares[index]) } })
        : null,
    );
    const buttons = assay.decisions.map((decision, index) =>
      h(
        'button',
        {
          type: 'button',
          class: 'decision',
          disabled: decisions[decision] === 0,
          on: { click: () => state.toggle('decisions', index) },
        },
        assay.glyph(decision),
        h('b', {}, count(decisions[decision])),
        decision,
        h('span', { class: 'faint' }, percent(shares[index])),
      ),
    );
    state.watch(({ filter }) => {
      for (const [index, button] of buttons.entries())
        button.setAttribute('aria-pressed', String(filter.decisions.has(index)));
    });
    const bar = h(
      'div',
      {},
      h('div', { class: 'decision-bar', 'aria-hidden': 'true' }, segments),
      h(
        'div',
        { class: 'decision-legend', role: 'group', 'aria-label': 'Episodes by decision; click to filter' },
        buttons,
      ),
    );
    return h('section', { class: 'verdict' }, sentence(dataset, total), bar, facts(dataset, columns));
  };

  function sentence({ dataset: { decisions, unreadable }, verdict }, total) {
    if (total === 0) return h('h1', {}, unreadable > 0 ? 'No episodes could be read.' : 'No episodes.');
    const fit =
      decisions.accept === total ? 'All episodes are' : decisions.accept === 0 ? 'No episodes are' : null;
    const lost =
      unreadable > 0
        ? h(
            'p',
            { class: 'lost' },
            assay.glyph('error'),
            `${plural(unreadable, 'episode')} could not be read; see the findings.`,
          )
        : null;
    const heading = fit
      ? h(
          'h1',
          {},
          verdict.verdict === 'usable' || decisions.accept === 0
            ? `${fit} fit to train on.`
            : `${verdict.title}.`,
        )
      : h(
          'h1',
          {},
          h('span', { class: 'figure' }, count(decisions.accept)),
          ` of ${count(total)} episodes ${decisions.accept === 1 ? 'is' : 'are'} fit to train on.`,
        );
    return h('div', {}, heading, usability(verdict), lost);
  }

  function usability({ verdict, text }) {
    if (verdict === 'usable') return null;
    return verdict === 'not_usable'
      ? h('p', { class: 'lost' }, assay.glyph('error'), text)
      : h('p', { class: 'caution' }, assay.glyph('warning'), text);
  }

  function facts(dataset, columns) {
    const { dataset: facts } = dataset;
    let duration = 0;
    for (const seconds of columns.duration_s) duration += seconds;
    const kinds = dataset.kinds.map((kind, index) => [
      kind,
      columns.kind.reduce((sum, each) => sum + (each === index ? 1 : 0), 0),
    ]);
    const rows = [
      ['Format', facts.format],
      [
        'Kind',
        kinds.map(([kind, number]) => (kinds.length > 1 ? `${kind} (${count(number)})` : kind)).join(', ') ||
          '–',
      ],
      ['Episodes', count(columns.count)],
      ['Total duration', assay.duration(duration)],
      ['Settings', `${facts.settings.name} (${facts.settings.hash.slice(0, 8)})`],
      ...loads(facts.parts),
    ];
    const list = h(
      'dl',
      { class: 'facts' },
      rows.map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value))),
    );
    return facts.parts.length > 0 ? h('div', { class: 'facts-block' }, list, parts(facts.parts)) : list;
  }

  /** Whether the readers of these formats open them; several datasets say so in their own rows. */
  function loads(list) {
    if (list.length !== 1 || list[0].loads === null) return [];
    return [[`Loads in ${list[0].loads.reader}`, loadsInWords(list[0].loads)]];
  }

  function loadsInWords({ loads, why }) {
    const reasons = why.map(({ rule, does, episodes }) => {
      const where = episodes === null ? '' : ` (${plural(episodes, 'episode')})`;
      return `${assay.words(does)}: ${assay.codeTitle(rule)}${where}`;
    });
    return [loads, ...reasons].join(', ');
  }

  function parts(list) {
    const rows = list.map((part) =>
      h(
        'li',
        {},
        h('code', {}, part.path || '.'),
        ` ${part.format}, ${plural(part.episodes, 'episode')}${part.kind ? `, ${part.kind}` : ''}`,
        h('span', { class: 'faint' }, ` – ${part.evidence.join('; ')}`),
        part.loads === null ? null : `; loads in ${part.loads.reader}: ${loadsInWords(part.loads)}`,
      ),
    );
    return h(
      'details',
      { class: 'parts' },
      h('summary', {}, list.length === 1 ? 'How the format was detected' : `${list.length} datasets found`),
      h('ul', {}, rows),
    );
  }

  const bins = 40;
  const plot = { width: 560, height: 176, left: 8, right: 8, top: 18, bottom: 22 };

  /** Histogram of scores, stacked by decision; a range drawn over it filters. */
  assay.scorePanel = (dataset, columns, state) => {
    const { accept, reject } = dataset.bounds;
    const all = Uint32Array.from({ length: columns.count }, (_, i) => i);
    const whole = assay.scoreHistogram(columns, all, bins);
    const highest = Math.max(1, ...totals(whole.counts));
    const svg = h('svg', {
      class: 'histogram',
      viewBox: `0 0 ${plot.width} ${plot.height}`,
      role: 'img',
      'aria-label': describe(whole, columns.count),
    });
    const bars = h('g', {});
    const brush = h('rect', {
      class: 'brush',
      y: plot.top - 6,
      height: plot.height - plot.top - plot.bottom + 6,
      width: 0,
    });
    svg.append(ghost(whole.counts, highest), bars, ...frame(accept, reject), brush);
    brushing(svg, state);
    const note = h('p', { class: 'faint note' });
    state.watch(({ rows, filter }) => {
      const { counts, unscored } = assay.scoreHistogram(columns, rows, bins);
      bars.replaceChildren(...stack(counts, highest));
      const [from, to] = [x(filter.from), x(filter.to)];
      const chosen = filter.from > 0 || filter.to < 1;
      brush.setAttribute('x', from);
      brush.setAttribute('width', chosen ? Math.max(1, to - from) : 0);
      note.textContent =
        unscored > 0
          ? `Not shown: ${plural(unscored, 'episode')} without a score.`
          : 'Drag to filter by score.';
    });
    return h(
      'section',
      { class: 'panel scores', 'aria-labelledby': 'scores-title' },
      h('h2', { id: 'scores-title' }, 'Scores'),
      svg,
      note,
    );
  };

  const x = (score) => plot.left + score * (plot.width - plot.left - plot.right);
  const floor = plot.height - plot.bottom;
  // Square root: one bad episode among ten thousand must still be seen.
  const tall = (number, highest) =>
    number === 0 ? 0 : Math.max(1.5, Math.sqrt(number / highest) * (floor - plot.top));

  function totals(counts) {
    return Array.from(
      { length: bins },
      (_, bin) => counts[3 * bin] + counts[3 * bin + 1] + counts[3 * bin + 2],
    );
  }

  function ghost(counts, highest) {
    const width = x(1 / bins) - x(0);
    return h(
      'g',
      { class: 'ghost' },
      totals(counts).map((number, bin) =>
        h('rect', {
          x: x(bin / bins) + 0.5,
          width: width - 1,
          y: floor - tall(number, highest),
          height: tall(number, highest),
        }),
      ),
    );
  }

  function stack(counts, highest) {
    const width = x(1 / bins) - x(0);
    const out = [];
    for (const [bin, total] of totals(counts).entries()) {
      let y = floor;
      for (const [index, decision] of assay.decisions.entries()) {
        const number = counts[3 * bin + index];
        if (number === 0) continue;
        const height = (tall(total, highest) * number) / total;
        y -= height;
        out.push(
          h(
            'rect',
            { class: `fill-${decision}`, x: x(bin / bins) + 0.5, width: width - 1, y, height },
            h(
              'title',
              {},
              `${(bin / bins).toFixed(3)}–${((bin + 1) / bins).toFixed(3)}: ${count(number)} ${decision}`,
            ),
          ),
        );
      }
    }
    return out;
  }

  function frame(accept, reject) {
    const ticks = [0, reject / 2, reject, accept, 1].map((tick) => {
      const anchor = tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle';
      return h(
        'text',
        { class: 'tick', x: x(tick), y: plot.height - 5, 'text-anchor': anchor },
        String(tick),
      );
    });
    const bounds = [
      [reject, 'review'],
      [accept, 'accept'],
    ].flatMap(([at, word]) => [
      h('line', { class: 'bound', x1: x(at), x2: x(at), y1: 2, y2: floor }),
      h('text', { class: 'bound-text', x: x(at) + 5, y: 12 }, word),
    ]);
    return [h('line', { class: 'axis', x1: x(0), x2: x(1), y1: floor, y2: floor }), ...ticks, ...bounds];
  }

  function describe({ counts, unscored }, total) {
    const scored = total - unscored;
    const below = totals(counts)
      .slice(0, bins / 2)
      .reduce((sum, number) => sum + number, 0);
    return `Distribution of the scores of ${plural(scored, 'episode')}: ${count(below)} below 0.5. To filter by keyboard, use the score fields above the table.`;
  }

  function brushing(svg, state) {
    let start = null;
    const scoreAt = (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * plot.width;
      return Math.min(1, Math.max(0, (at - plot.left) / (plot.width - plot.left - plot.right)));
    };
    const snap = (score) => Math.round(score * bins) / bins;
    svg.addEventListener('pointerdown', (event) => {
      start = scoreAt(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener('pointermove', (event) => {
      if (start === null) return;
      const now = scoreAt(event);
      if (Math.abs(now - start) < 0.01) return;
      state.set({ from: snap(Math.min(start, now)), to: snap(Math.max(start, now)) });
    });
    svg.addEventListener('pointerup', (event) => {
      if (start !== null && Math.abs(scoreAt(event) - start) < 0.01) state.set({ from: 0, to: 1 });
      start = null;
    });
  }
}
