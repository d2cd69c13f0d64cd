// What a row of the episode table says.
'use strict';
{
  const { h } = assay;
  const noScore = 1001;
  const unscoredWords = ['inapplicable', 'not assessable', 'disabled', 'absent'];
  const bar = { width: 5, pitch: 7, height: 18 };
  const lowGraded = 0.6;

  assay.EpisodeCells = class {
    /** `opened` is called as an episode's page is about to be opened. */
    constructor(dataset, columns, opened) {
      Object.assign(this, { dataset, columns, opened, datasetOf: assay.datasetNames(dataset) });
    }

    link(i, row) {
      const id = this.columns.id[i];
      const dataset = this.datasetOf(i);
      return h(
        'a',
        {
          class: 'episode-link',
          href: `episode.html#${i}`,
          title: dataset === null ? id : `${dataset} / ${id}`,
          'data-row': row,
          on: { click: this.opened },
        },
        id,
      );
    }

    names(i, row) {
      const task = this.dataset.tasks[this.columns.task[i]];
      const below = [this.datasetOf(i), task].filter(Boolean).join(' · ');
      return h(
        'div',
        { class: 'names' },
        this.link(i, row),
        below ? h('span', { class: 'task faint', title: below }, below) : null,
      );
    }

    score(i) {
      const score = this.columns.score[i];
      const graded = this.columns.graded[i];
      const partly =
        graded < lowGraded
          ? h(
              'span',
              {
                class: 'faint',
                title: `Only ${assay.percent(graded)} of the applicable checks could be scored`,
              },
              `${Math.round(100 * graded)} %`,
            )
          : null;
      return h(
        'div',
        { class: 'number score-cell' },
        partly,
        h('span', {}, assay.score(score)),
        h('span', { class: 'meter', style: { '--value': String(Number.isNaN(score) ? 0 : score) } }),
      );
    }

    code(i, check) {
      return this.columns.components[i * this.dataset.checks.length + check];
    }

    /** One bar a check: tall is good, red lies below its threshold, a dash could not be measured. */
    strip(i) {
      const { checks } = this.dataset;
      const paths = { ok: '', low: '', none: '' };
      for (let c = 0; c < checks.length; c++) {
        const score = this.code(i, c) / 1000;
        const x = c * bar.pitch;
        if (this.code(i, c) === noScore + 1) paths.none += `M${x + 1} ${bar.height - 1}h${bar.width - 2}`;
        if (this.code(i, c) >= noScore) continue;
        const height = Math.max(1.5, score * bar.height);
        paths[score < checks[c].threshold ? 'low' : 'ok'] +=
          `M${x} ${bar.height - height}h${bar.width}v${height}h-${bar.width}z`;
      }
      const width = checks.length * bar.pitch;
      const text = this.stripText(i);
      const drawn = Object.entries(paths).map(([name, d]) => (d ? h('path', { class: name, d }) : null));
      return h(
        'div',
        {},
        h(
          'svg',
          {
            class: 'strip',
            viewBox: `0 0 ${width} ${bar.height}`,
            role: 'img',
            width,
            height: bar.height,
            'aria-label': text,
          },
          h('title', {}, text),
          drawn,
        ),
      );
    }

    stripText(i) {
      return this.dataset.checks
        .map((check, c) => {
          const code = this.code(i, c);
          return `${check.title}: ${code >= noScore ? unscoredWords[code - noScore] : (code / 1000).toFixed(2)}`;
        })
        .join('\n');
    }

    flags(i) {
      const tags = this.columns.flags[i].map((flag) => {
        const [code, , severity] = this.dataset.flags[flag];
        return h('span', { class: `tag is-${severity}` }, assay.glyph(severity), assay.codeTitle(code));
      });
      return h('div', { class: 'flags' }, tags);
    }

    card(i, row, poster) {
      const decision = assay.decisions[this.columns.decision[i]];
      const flags = this.columns.flags[i]
        .map((flag) => assay.codeTitle(this.dataset.flags[flag][0]))
        .join(', ');
      const line = h(
        'div',
        { class: 'card-text' },
        assay.glyph(decision),
        h('span', { class: 'visually-hidden' }, assay.decisionWords[decision]),
        this.link(i, row),
        h('span', { class: 'number' }, assay.score(this.columns.score[i])),
      );
      return h(
        'div',
        { class: `card is-${decision}`, role: 'cell' },
        poster,
        line,
        h('p', { class: 'card-flags', title: flags }, flags || '\u00a0'),
      );
    }
  };
}
