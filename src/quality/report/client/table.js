// The episodes, as a table or as pictures.
'use strict';
{
  const { h } = assay;
  const headings = [
    ['index', '#', 'number'],
    ['id', 'Episode', ''],
    ['decision', 'Decision', ''],
    ['score', 'Score', 'number'],
    [null, 'Checks', ''],
    ['flags', 'Flags', ''],
    ['duration', 'Duration', 'number'],
  ];
  const stuck = 120;

  assay.EpisodeTable = class {
    constructor(dataset, columns, state) {
      Object.assign(this, { dataset, columns, state, rows: [], perRow: 1, view: 'table' });
      this.anyPoster = columns.poster.includes(1);
      this.posters = new assay.Posters(dataset, columns);
      this.cells = new assay.EpisodeCells(dataset, columns, () => state.keepOrder());
      this.list = new assay.VirtualRows({
        render: (row) => (this.view === 'table' ? this.tableRow(row) : this.pictureRow(row)),
        settled: (first, last) => this.wantPosters(first, last),
      });
      this.empty = h('p', { class: 'empty', hidden: true }, 'No episodes match the filters.');
      this.element = h(
        'div',
        { class: `episodes${this.anyPoster ? ' has-posters' : ''}`, role: 'table', 'aria-label': 'Episodes' },
        this.header(),
        this.list.element,
        this.empty,
      );
      this.element.addEventListener('keydown', (event) => this.key(event));
      state.watch(({ rows }) => {
        this.rows = rows;
        this.layOut();
      });
      new ResizeObserver(
        assay.eachFrame(() => this.width !== this.element.clientWidth && this.layOut()),
      ).observe(this.element);
    }

    layOut() {
      const { element } = this;
      const width = element.clientWidth;
      this.width = width;
      this.view = this.state.view;
      element.classList.toggle('is-pictures', this.view === 'pictures');
      this.perRow = this.view === 'pictures' ? Math.max(2, Math.floor(width / 184)) : 1;
      element.style.setProperty('--per-row', String(this.perRow));
      const rows = Math.ceil(this.rows.length / this.perRow);
      this.list.reset(rows, this.rowHeight(width));
      element.setAttribute('aria-rowcount', String(rows + 1));
      this.empty.hidden = rows > 0;
    }

    rowHeight(width) {
      if (this.view === 'pictures') return Math.round((width / this.perRow - 12) * 0.75) + 62;
      if (innerWidth <= 760) return 92;
      return this.anyPoster ? 48 : 40;
    }

    header() {
      const cells = headings.map(([by, text, kind]) =>
        by === null ? this.checkHeading(text) : this.heading(by, text, kind),
      );
      return h('div', { class: 'row head', role: 'row', 'aria-rowindex': 1 }, cells);
    }

    heading(by, text, kind) {
      const button = h(
        'button',
        { type: 'button', on: { click: () => this.state.sortBy(by) } },
        text,
        h('span', { class: 'arrow', 'aria-hidden': 'true' }),
      );
      const cell = h('div', { role: 'columnheader', class: kind }, button);
      this.state.watch(({ sort }) => {
        cell.setAttribute(
          'aria-sort',
          sort.by !== by ? 'none' : sort.descending ? 'descending' : 'ascending',
        );
      });
      return cell;
    }

    checkHeading(text) {
      const { checks } = this.dataset;
      const cell = h(
        'div',
        { role: 'columnheader', title: checks.map((check) => check.title).join(', ') },
        text,
      );
      this.state.watch(({ sort }) => {
        cell.textContent = sort.by === 'check' ? `By ${checks[sort.check].title.toLowerCase()}` : text;
        cell.setAttribute(
          'aria-sort',
          sort.by !== 'check' ? 'none' : sort.descending ? 'descending' : 'ascending',
        );
      });
      return cell;
    }

    tableRow(row) {
      const i = this.rows[row];
      const { cells, columns } = this;
      const decision = assay.decisions[columns.decision[i]];
      const content = [
        h('span', { class: 'number faint' }, String(i)),
        h('div', { class: 'who' }, this.anyPoster ? this.posters.frame(i) : null, cells.names(i, row)),
        assay.decisionBadge(decision),
        cells.score(i),
        cells.strip(i),
        cells.flags(i),
        h(
          'span',
          { class: 'number' },
          columns.duration_s[i] > 0 ? assay.duration(columns.duration_s[i]) : '–',
        ),
      ];
      for (const cell of content) cell.setAttribute('role', 'cell');
      return h('div', { class: `row is-${decision}`, role: 'row', 'aria-rowindex': row + 2 }, content);
    }

    pictureRow(row) {
      const cards = [];
      for (let at = row * this.perRow; at < Math.min(this.rows.length, (row + 1) * this.perRow); at++) {
        cards.push(this.cells.card(this.rows[at], at, this.posters.frame(this.rows[at])));
      }
      return h('div', { class: 'picture-row', role: 'row', 'aria-rowindex': row + 2 }, cards);
    }

    wantPosters(first, last) {
      const end = Math.min(this.rows.length, (last + 1) * this.perRow);
      for (let at = first * this.perRow; at < end; at++) this.posters.want(this.rows[at]);
    }

    key(event) {
      const at = Number(event.target.dataset?.row ?? Number.NaN);
      if (Number.isNaN(at) || event.altKey || event.ctrlKey || event.metaKey) return;
      const { rows, perRow, view } = this;
      const page = Math.max(1, Math.floor(innerHeight / this.list.height) - 3) * perRow;
      const steps = {
        ArrowDown: perRow,
        j: perRow,
        ArrowUp: -perRow,
        k: -perRow,
        PageDown: page,
        PageUp: -page,
        Home: -at,
        End: rows.length - 1 - at,
      };
      if (view === 'pictures') Object.assign(steps, { ArrowRight: 1, ArrowLeft: -1 });
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, at + step));
      const row = this.list.reveal(Math.floor(next / perRow), stuck);
      row?.querySelector(`[data-row="${next}"]`)?.focus({ preventScroll: true });
    }
  };
}
