// Lanes of the timeline: one row each, a label with the reading at the cursor on the left, the picture on the right.
'use strict';
{
  const { h } = assay;

  function row(kind, label, plot, marks = [], scale = null) {
    const flagged = marks.length > 0 ? ' is-flagged' : '';
    return h(
      'div',
      { class: `lane lane-${kind}${flagged}` },
      h('div', { class: 'lane-label' }, label),
      h('div', { class: 'lane-plot' }, plot),
      scale,
    );
  }

  /** Curves over time with what was flagged behind them. `curves`: {name, column, colour}. */
  assay.SeriesLane = class {
    constructor({ label, curves, marks, kind = 'series' }) {
      this.curves = curves;
      this.numeric = kind === 'series';
      this.marks = marks;
      this.range = rangeOf(curves);
      this.readings = curves.map(({ colour }) => h('span', { class: `reading is-${colour}` }));
      this.canvas = h('canvas', { role: 'img', 'aria-label': describe(label, curves, this.range, marks) });
      const scale = h(
        'span',
        { class: 'scale', 'aria-hidden': 'true' },
        scaleTexts(this.range).map((text) => h('span', {}, text)),
      );
      this.element = row(
        kind,
        [
          h('span', { class: 'lane-name', title: label }, label),
          h('span', { class: 'readings' }, this.readings.toReversed()),
        ],
        this.canvas,
        marks,
        scale,
      );
    }

    draw(view, palette, chosen) {
      const surface = assay.surface(this.canvas);
      if (surface === null) return;
      for (const mark of this.marks) assay.paintMark(surface, view, mark, palette, mark.flag === chosen);
      for (const { column, colour, width, steps } of this.curves) {
        assay.paintColumn(surface, view, column, this.range, { colour: palette[colour], width, steps });
        if (this.numeric) assay.paintBroken(surface, view, column, palette);
      }
    }

    read(time_s) {
      for (const [i, { column }] of this.curves.entries())
        this.readings[i].textContent = time_s === null ? '' : assay.valueAt(column, time_s);
    }
  };

  /** Top and bottom of a scale with as many digits as tell them apart; one text where they are one. */
  function scaleTexts({ from, to }) {
    if (from === to) return [assay.shortNumber(to)];
    for (let digits = 3; digits < 8; digits++) {
      const texts = [to, from].map((value) => assay.number(value, digits));
      if (texts[0] !== texts[1]) return digits === 3 ? [to, from].map(assay.shortNumber) : texts;
    }
    return [assay.number(to, 8), `−${assay.number(to - from, 2)}`];
  }

  function rangeOf(curves) {
    const from = Math.min(...curves.map(({ column }) => column.from));
    const to = Math.max(...curves.map(({ column }) => column.to));
    return { from, to };
  }

  function describe(label, curves, range, marks) {
    const names = curves.map(({ name }) => name).join(' and ');
    const flagged =
      marks.length > 0
        ? `; flagged: ${[...new Set(marks.map(({ code }) => assay.codeTitle(code)))].join(', ')}`
        : '';
    return `${label}: ${names} between ${assay.number(range.from)} and ${assay.number(range.to)}${flagged}`;
  }

  const mostMarks = 200;

  /** Where one flag speaks of: every mark is a button that takes the timeline there. */
  assay.FlagLane = class {
    constructor({ flag, index, marks, choose }) {
      this.marks = assay.spread(marks, mostMarks);
      const shown = assay.shownOf(this.marks.length, flag.marked);
      this.buttons = this.marks.map((mark, i) =>
        h('button', {
          type: 'button',
          class: `mark is-${flag.severity}`,
          'aria-label': `${assay.codeTitle(flag.code)}, mark ${i + 1} of ${this.marks.length}: ${assay.span(mark)}${mark.stream ? `, ${mark.stream}` : ''}`,
          title: `${assay.span(mark)} ${mark.stream}`,
          on: { click: () => choose(index, mark) },
        }),
      );
      const label = h(
        'span',
        { class: 'lane-name', title: `${assay.codeTitle(flag.code)} ${marks[0].stream}` },
        assay.glyph(flag.severity),
        assay.codeTitle(flag.code),
        h('span', { class: 'faint' }, ` ${marks[0].stream}`),
      );
      const note = shown === '' ? null : h('span', { class: 'lane-sub faint' }, shown);
      this.element = row('flag', [label, note].filter(Boolean), this.buttons);
    }

    draw(view, _palette, chosen) {
      for (const [i, button] of this.buttons.entries()) {
        const mark = this.marks[i];
        const from = view.x(mark.from_s);
        const width = Math.max(5, view.x(mark.to_s) - from);
        // In shares of the plot, so that they still stand right when paper is narrower than the screen.
        button.style.left = `${(100 * (from - (width === 5 ? 2 : 0))) / view.width}%`;
        button.style.width = `${(100 * width) / view.width}%`;
        button.classList.toggle('is-chosen', mark.flag === chosen);
      }
    }

    read() {}
  };

  /** A camera's pictures where they were taken; those a flag speaks of come before the others. */
  assay.FilmLane = class {
    constructor({ camera, marks, show }) {
      this.marks = marks;
      this.pictures = camera.thumbnails
        .map((thumbnail) => picture(camera, thumbnail, marks, show))
        .sort((a, b) => b.importance - a.importance || a.time_s - b.time_s);
      this.canvas = h('canvas', { 'aria-hidden': 'true' });
      this.repeats = camera.repeats;
      const empty =
        this.pictures.length === 0
          ? h('p', { class: 'lane-note faint' }, camera.reason ?? 'No images stored.')
          : null;
      const label = [
        h('span', { class: 'lane-name', title: camera.summary ?? '' }, 'frames'),
        h('span', { class: 'lane-sub faint' }, camera.repeats.length > 0 ? 'grey: repeated' : ''),
      ];
      this.element = row(
        'film',
        label,
        [this.canvas, ...this.pictures.map(({ element }) => element), empty],
        marks,
      );
      this.element.classList.toggle('is-empty', empty !== null);
    }

    draw(view, palette, chosen) {
      const surface = assay.surface(this.canvas);
      if (surface === null) return;
      const { context, height } = surface;
      for (const mark of this.marks) assay.paintMark(surface, view, mark, palette, mark.flag === chosen);
      context.fillStyle = palette.faint;
      for (const [from, to] of this.repeats)
        context.fillRect(view.x(from), height - 4, Math.max(1.5, view.x(to) - view.x(from)), 4);
      this.place(view, surface, palette);
    }

    /** Pictures that would cover a more important one are left out at this zoom; a tick stays. */
    place(view, { context, height }, palette) {
      const taken = [];
      for (const { element, time_s, width } of this.pictures) {
        const x = view.x(time_s);
        const left = Math.min(view.width - width - rim, Math.max(rim, x - width / 2));
        const fits =
          x >= 0 && x <= view.width && taken.every(([from, to]) => left + width < from || left > to);
        element.hidden = !fits;
        context.fillStyle = palette.faint;
        context.fillRect(x - 0.5, height - 9, 1, 5);
        if (!fits) continue;
        taken.push([left, left + width]);
        element.style.left = `${(100 * left) / view.width}%`;
      }
    }

    read() {}
  };

  const filmHeight = 72;
  /** Room for a picture's frame at the ends of the plot. */
  const rim = 4;

  function picture(camera, thumbnail, marks, show) {
    const { time_s, width_px, height_px, why, jpeg } = thumbnail;
    const spoken = marks.find((mark) => time_s >= mark.from_s - 1e-3 && time_s <= mark.to_s + 1e-3);
    const width = Math.round((filmHeight * width_px) / Math.max(1, height_px));
    const about = why === 'overview' ? '' : `, ${assay.words(why)}`;
    const element = h(
      'button',
      {
        type: 'button',
        class: `film-picture${spoken ? ` is-${spoken.severity}` : ''}`,
        style: { width: `${width}px` },
        'aria-label': `Image of ${camera.id} at ${time_s.toFixed(2)} s${about}`,
        title: `${time_s.toFixed(2)} s${about}`,
        on: { click: () => show(thumbnail, camera) },
      },
      h('img', { src: `data:image/jpeg;base64,${jpeg}`, alt: '', decoding: 'async', draggable: 'false' }),
      assay.overlayImages(thumbnail),
      why === 'overview' ? null : h('span', { class: 'film-why' }, assay.words(why)),
    );
    return { element, time_s, width, importance: (spoken ? 2 : 0) + (why === 'overview' ? 0 : 1) };
  }

  /** Labelled moments of the recording. */
  assay.EventLane = class {
    constructor(events) {
      this.events = events;
      this.canvas = h('canvas', {
        role: 'img',
        'aria-label': events.map(({ time_s, label }) => `${label} at ${time_s.toFixed(2)} s`).join(', '),
      });
      this.element = row('events', h('span', { class: 'lane-name' }, 'events'), this.canvas);
    }

    draw(view, palette) {
      const surface = assay.surface(this.canvas);
      if (surface === null) return;
      const { context, height } = surface;
      context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      let free = Number.NEGATIVE_INFINITY;
      for (const { time_s, label } of this.events) {
        const x = view.x(time_s);
        context.fillStyle = palette['line-strong'];
        context.fillRect(x, 0, 1, height);
        if (x < free) continue;
        context.fillStyle = palette.soft;
        context.fillText(label, x + 4, height / 2 + 4);
        free = x + context.measureText(label).width + 12;
      }
    }

    read() {}
  };

  /** `2.43 s` or `2.43–3.10 s`. */
  assay.span = ({ from_s, to_s }) =>
    to_s - from_s < 0.005 ? `${from_s.toFixed(2)} s` : `${from_s.toFixed(2)}–${to_s.toFixed(2)} s`;
}
