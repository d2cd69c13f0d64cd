// The table of checks on the index: how episodes scored, what was flagged. Rows and flags filter.
'use strict';
{
  const { h, count, plural } = assay;
  const bins = 20;
  const spark = { width: 120, height: 22 };

  /** One row a check. The flags are buttons that filter; the check's name sorts the episodes by its score. */
  assay.checkPanel = (dataset, columns, state) => {
    const flagRows = dataset.flags.map(([code, check, severity], index) => ({
      code,
      check,
      severity,
      index,
    }));
    const rows = dataset.checks.map((check, index) =>
      checkRow(
        check,
        index,
        flagRows.filter((flag) => flag.check === check.id),
        dataset,
        columns,
        state,
      ),
    );
    const table = h(
      'table',
      { class: 'checks' },
      h(
        'caption',
        { class: 'visually-hidden' },
        'Checks with their scores over the displayed episodes, and their flags',
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Check', 'Scores', 'Mean', 'Scored', 'Flags raised'].map((name) =>
            h('th', { scope: 'col' }, name),
          ),
        ),
      ),
      h('tbody', {}, rows),
    );
    return h(
      'section',
      { class: 'panel check-panel', 'aria-labelledby': 'checks-title' },
      h('h2', { id: 'checks-title' }, 'Checks'),
      h('div', { class: 'scroller' }, table),
    );
  };

  function checkRow(check, index, flags, dataset, columns, state) {
    const bars = h('g', {});
    const picture = h(
      'svg',
      {
        class: 'spark',
        viewBox: `0 0 ${spark.width} ${spark.height}`,
        'aria-hidden': 'true',
        preserveAspectRatio: 'none',
      },
      bars,
      h('line', {
        class: 'bound',
        x1: check.threshold * spark.width,
        x2: check.threshold * spark.width,
        y1: 0,
        y2: spark.height,
      }),
    );
    const mean = h('td', { class: 'number' });
    const scored = h('td', { class: 'number' });
    const buttons = flags.map((flag) => flagButton(flag, check, state));
    const name = h(
      'button',
      {
        type: 'button',
        class: 'link',
        title: `${check.formula}. Click to sort episodes by this check.`,
        on: { click: () => state.sortByCheck(index) },
      },
      check.title,
    );
    const row = h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', {}, picture),
      mean,
      scored,
      h(
        'td',
        { class: 'flag-cell' },
        buttons.map((each) => each.element),
      ),
    );
    state.watch(({ rows, filter, flagCounts }) => {
      const summary = assay.checkSummary(
        columns,
        rows,
        { index, checks: dataset.checks.length, threshold: check.threshold },
        bins,
      );
      bars.replaceChildren(...sparkBars(summary));
      mean.textContent = summary.mean === null ? '–' : summary.mean.toFixed(2);
      scored.replaceChildren(...coverage(summary, rows.length));
      row.classList.toggle('is-empty', summary.scored === 0);
      for (const { element, update } of buttons) {
        update(flagCounts, filter);
        element.parentNode?.append(element);
      }
    });
    return row;
  }

  /** Square root, so that a single low episode among thousands can be seen; below the threshold in red. */
  function sparkBars({ counts, low }) {
    const highest = Math.max(1, ...counts);
    const width = spark.width / bins;
    const bars = [];
    for (const [bin, number] of counts.entries()) {
      if (number === 0) continue;
      const height = Math.max(1.5, Math.sqrt(number / highest) * (spark.height - 2));
      const red = (height * low[bin]) / number;
      const x = bin * width + 0.5;
      if (red > 0)
        bars.push(h('rect', { class: 'low', x, width: width - 1, y: spark.height - red, height: red }));
      if (red < height)
        bars.push(h('rect', { x, width: width - 1, y: spark.height - height, height: height - red }));
    }
    return bars;
  }

  function coverage({ scored, unscored }, total) {
    const reasons = Object.entries(unscored).filter(([, number]) => number > 0);
    const why = reasons.map(([reason, number]) => `${count(number)} ${assay.words(reason)}`).join(', ');
    if (scored === total) return [total === 0 ? '–' : 'all'];
    return [scored === 0 ? 'none' : count(scored), why ? h('span', { class: 'faint why' }, why) : ''];
  }

  function flagButton(flag, check, state) {
    const number = h('b', {});
    const meaning = check.flags.find((each) => each.code === flag.code)?.meaning ?? '';
    const element = h(
      'button',
      {
        type: 'button',
        class: `chip is-${flag.severity}`,
        title: meaning,
        'aria-pressed': 'false',
        on: { click: () => state.toggle('flags', flag.index) },
      },
      assay.glyph(flag.severity),
      assay.codeTitle(flag.code),
      number,
    );
    return {
      element,
      update: (counts, filter) => {
        number.textContent = count(counts[flag.index]);
        element.classList.toggle('is-none', counts[flag.index] === 0);
        element.setAttribute('aria-pressed', String(filter.flags.has(flag.index)));
        element.setAttribute(
          'aria-label',
          `${assay.codeTitle(flag.code)}, ${flag.severity}: ${plural(counts[flag.index], 'episode')}`,
        );
      },
    };
  }
}
