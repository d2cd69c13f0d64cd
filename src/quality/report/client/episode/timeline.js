// The timeline: lanes that share one time axis, one cursor and one zoom.
'use strict';
{
  const { h } = assay;

  assay.Timeline = class {
    constructor(data) {
      this.flags = assay.flagsShown(data.receipt, data.sketch);
      this.marks = this.flags.flatMap((flag, index) =>
        flag.marks.map((mark) => ({ ...mark, flag: index, severity: flag.severity })),
      );
      this.view = new assay.View(assay.domainOf(data, this.marks));
      this.hasLength = data.receipt.episode.duration_s > 0;
      this.cursor = null;
      this.chosen = null;
      this.groups = assay.laneGroups(
        { ...data, flags: this.flags },
        { choose: (flag, mark) => this.choose(flag, mark) },
      );
      this.redraw = assay.eachFrame(() => this.draw());
      this.build(data);
      this.listen();
    }

    build({ sketch }) {
      this.axis = h('canvas', { class: 'axis-canvas', 'aria-hidden': 'true' });
      this.overview = h('canvas', { class: 'overview', 'aria-hidden': 'true' });
      this.clock = h('span', { class: 'clock' });
      this.buttons = [
        ['Zoom in', '+', () => this.zoom(0.5)],
        ['Zoom out', '−', () => this.zoom(2)],
        ['Whole episode', 'Whole', () => this.showWhole()],
      ].map(([label, text, run]) =>
        h(
          'button',
          { type: 'button', class: 'quiet', title: label, 'aria-label': label, on: { click: run } },
          text,
        ),
      );
      this.line = h('div', { class: 'cursor', hidden: true });
      this.selection = h('div', { class: 'selection', hidden: true });
      this.field = h(
        'div',
        { class: 'field-lanes' },
        this.groups.map((group) => assay.groupElement(group, () => this.redraw())),
      );
      this.status = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
      const head = h(
        'div',
        { class: 'timeline-head' },
        h('div', { class: 'lane-label' }, this.clock, h('span', { class: 'zoom-buttons' }, this.buttons)),
        h('div', { class: 'lane-plot' }, this.overview, this.axis),
      );
      const overlay = h('div', { class: 'overlay', 'aria-hidden': 'true' }, this.line, this.selection);
      this.element = h(
        'div',
        {
          class: 'timeline',
          tabindex: 0,
          role: 'group',
          'aria-label':
            'Timeline. Arrow keys move the cursor, plus and minus zoom, zero shows the whole episode, n and p go to the next and previous mark.',
        },
        head,
        h('div', { class: 'timeline-body' }, this.field, overlay),
        this.status,
      );
      if (sketch.omitted.length > 0)
        this.element.append(h('p', { class: 'faint' }, `Not shown: ${sketch.omitted.join('; ')}.`));
    }

    get lanes() {
      return this.groups.flatMap((group) => group.lanes);
    }

    draw() {
      this.palette ??= assay.palette();
      this.view.width = this.axis.clientWidth || 1;
      this.drawAxis();
      this.drawOverview();
      for (const lane of this.lanes) lane.draw(this.view, this.palette, this.chosen);
      this.moveCursor(this.cursor);
    }

    drawAxis() {
      const surface = assay.surface(this.axis);
      if (surface === null) return;
      const { context, height, width } = surface;
      const { ticks } = assay.ticks(this.view);
      context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      for (const [time_s, text] of ticks) {
        const x = this.view.x(time_s);
        context.fillStyle = this.palette['line-strong'];
        context.fillRect(x, height - 5, 1, 5);
        context.fillStyle = this.palette.faint;
        const size = context.measureText(`${text} s`).width;
        context.fillText(`${text} s`, Math.min(width - size, Math.max(0, x - size / 2)), height - 8);
      }
    }

    /** The whole episode in small: where the flags lie, and which part is in view. */
    drawOverview() {
      const surface = assay.surface(this.overview);
      if (surface === null) return;
      const { context, width, height } = surface;
      const { from, to } = this.view.domain;
      const x = (time_s) => ((time_s - from) / (to - from)) * width;
      context.fillStyle = this.palette.sunken;
      context.fillRect(0, 0, width, height);
      for (const mark of this.marks) {
        context.fillStyle = this.palette[mark.severity === 'blocking' ? 'reject-fill' : 'review-fill'];
        context.fillRect(
          x(mark.from_s) - 0.5,
          mark.severity === 'blocking' ? 0 : height / 2,
          Math.max(2, x(mark.to_s) - x(mark.from_s)),
          height / 2,
        );
      }
      if (this.view.isWhole) return;
      context.fillStyle = this.palette.accent;
      context.globalAlpha = 0.16;
      context.fillRect(x(this.view.from), 0, x(this.view.to) - x(this.view.from), height);
      context.globalAlpha = 1;
      context.strokeStyle = this.palette.accent;
      context.strokeRect(
        x(this.view.from) + 0.5,
        0.5,
        Math.max(2, x(this.view.to) - x(this.view.from) - 1),
        height - 1,
      );
    }

    moveCursor(time_s) {
      this.cursor = time_s;
      const x = time_s === null ? -1 : this.view.x(time_s);
      this.line.hidden = x < 0 || x > this.view.width;
      this.line.style.transform = `translateX(${x}px)`;
      this.clock.textContent = time_s === null ? '' : `${time_s.toFixed(3)} s`;
      for (const lane of this.lanes) lane.read(time_s);
    }

    zoom(factor, around = this.cursor ?? (this.view.from + this.view.to) / 2) {
      this.view.zoom(factor, around);
      this.redraw();
    }

    showWhole() {
      this.chosen = null;
      this.view.set(this.view.domain.from, this.view.domain.to);
      this.redraw();
    }

    /** Takes the view to a mark, with room around it, and lights up the flag's marks everywhere. */
    choose(flag, mark) {
      this.chosen = flag;
      if (mark) {
        const whole = this.view.domain.to - this.view.domain.from;
        const room = Math.max((mark.to_s - mark.from_s) * 1.5, whole * 0.04);
        this.view.set(mark.from_s - room, mark.to_s + room);
        this.cursor = (mark.from_s + mark.to_s) / 2;
        this.status.textContent = `${assay.span(mark)}, ${mark.stream}`;
      }
      this.redraw();
    }

    /** Brings the lane that a mark speaks of into view. */
    reveal(mark) {
      const speaksOf = (lane) =>
        lane.marks?.some(
          (each) =>
            each.from_s === mark.from_s && each.stream === mark.stream && each.dimension === mark.dimension,
        );
      const lane = this.lanes.find((each) => !(each instanceof assay.FlagLane) && speaksOf(each));
      (lane?.element ?? this.element).scrollIntoView({ block: 'center' });
    }

    step(direction) {
      const sorted = this.marks.slice().sort((a, b) => a.from_s - b.from_s);
      if (sorted.length === 0) return;
      const now = this.cursor ?? Number.NEGATIVE_INFINITY;
      const middle = (mark) => (mark.from_s + mark.to_s) / 2;
      const next =
        direction > 0
          ? sorted.find((mark) => middle(mark) > now + 1e-6)
          : sorted.findLast((mark) => middle(mark) < now - 1e-6);
      const mark = next ?? (direction > 0 ? sorted[0] : sorted.at(-1));
      this.choose(mark.flag, mark);
    }

    listen() {
      const { element, field } = this;
      new ResizeObserver(this.redraw).observe(element);
      assay.onTheme(() => {
        this.palette = undefined;
        this.draw();
      });
      element.addEventListener('keydown', (event) => this.key(event));
      field.addEventListener('pointermove', (event) => this.point(event));
      field.addEventListener('pointerleave', () => this.drag === undefined && this.moveCursor(null));
      field.addEventListener('pointerdown', (event) => this.press(event));
      field.addEventListener('pointerup', (event) => this.release(event));
      field.addEventListener('pointercancel', () => this.endDrag());
      field.addEventListener('dblclick', () => this.showWhole());
      field.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
      this.overview.addEventListener('pointerdown', (event) => this.pan(event));
      this.overview.addEventListener('pointermove', (event) => event.buttons === 1 && this.pan(event));
    }

    timeAt(event) {
      const box = this.axis.getBoundingClientRect();
      return this.view.time(Math.min(box.width, Math.max(0, event.clientX - box.left)));
    }

    inPlot(event) {
      return event.clientX >= this.axis.getBoundingClientRect().left;
    }

    point(event) {
      if (!this.inPlot(event) && this.drag === undefined) return;
      this.moveCursor(this.timeAt(event));
      if (this.drag === undefined) return;
      const [from, to] = [this.drag, this.cursor].sort((a, b) => a - b);
      this.selection.hidden = false;
      this.selection.style.left = `${this.view.x(from)}px`;
      this.selection.style.width = `${this.view.x(to) - this.view.x(from)}px`;
    }

    press(event) {
      if (
        event.button !== 0 ||
        event.pointerType === 'touch' ||
        !this.inPlot(event) ||
        event.target.closest('button, label')
      )
        return;
      this.drag = this.timeAt(event);
      this.field.setPointerCapture(event.pointerId);
    }

    release(event) {
      if (this.drag === undefined) return;
      const [from, to] = [this.drag, this.timeAt(event)].sort((a, b) => a - b);
      const moved = this.view.x(to) - this.view.x(from) > 4;
      this.endDrag();
      if (!moved) return;
      this.view.set(from, to);
      this.redraw();
    }

    endDrag() {
      this.drag = undefined;
      this.selection.hidden = true;
    }

    wheel(event) {
      if (!this.inPlot(event)) return;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      if (event.ctrlKey || event.metaKey) this.view.zoom(Math.exp(event.deltaY * 0.004), this.timeAt(event));
      else if (sideways && !this.view.isWhole) {
        const by = ((event.deltaX || event.deltaY) / this.view.width) * (this.view.to - this.view.from);
        this.view.set(this.view.from + by, this.view.to + by);
      } else return;
      event.preventDefault();
      this.redraw();
    }

    pan(event) {
      const box = this.overview.getBoundingClientRect();
      const { from, to } = this.view.domain;
      const middle = from + ((event.clientX - box.left) / box.width) * (to - from);
      const half = (this.view.to - this.view.from) / 2;
      this.view.set(middle - half, middle + half);
      this.redraw();
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const span = this.view.to - this.view.from;
      const move = (share) => {
        const start = this.cursor ?? (share > 0 ? this.view.from : this.view.to);
        const next = Math.min(this.view.domain.to, Math.max(this.view.domain.from, start + share * span));
        if (next < this.view.from || next > this.view.to) this.view.set(next - span / 2, next + span / 2);
        this.cursor = next;
        this.status.textContent = `${next.toFixed(3)} s`;
        this.redraw();
      };
      const actions = {
        ArrowRight: () => move(event.shiftKey ? 0.1 : 0.01),
        ArrowLeft: () => move(event.shiftKey ? -0.1 : -0.01),
        '+': () => this.zoom(0.5),
        '=': () => this.zoom(0.5),
        '-': () => this.zoom(2),
        0: () => this.showWhole(),
        n: () => this.step(1),
        p: () => this.step(-1),
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    }
  };
}
