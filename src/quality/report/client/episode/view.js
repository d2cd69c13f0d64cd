// Which part of an episode is in view, and where a time lies on the plot.
'use strict';
{
  const mostZoom = 2000;

  /** What part of the episode is in view, and where a time lies on the plot. */
  assay.View = class {
    constructor(domain) {
      this.domain = domain;
      this.from = domain.from;
      this.to = domain.to;
      this.width = 1;
    }

    x(time_s) {
      return ((time_s - this.from) / (this.to - this.from)) * this.width;
    }

    time(x) {
      return this.from + (x / this.width) * (this.to - this.from);
    }

    set(from, to) {
      const { domain } = this;
      const whole = domain.to - domain.from;
      const span = Math.min(whole, Math.max(whole / mostZoom, to - from));
      const start = Math.min(domain.to - span, Math.max(domain.from, (from + to) / 2 - span / 2));
      this.from = start;
      this.to = start + span;
    }

    zoom(factor, around) {
      const span = (this.to - this.from) * factor;
      const share = (around - this.from) / (this.to - this.from);
      this.set(around - share * span, around + (1 - share) * span);
    }

    get isWhole() {
      return this.to - this.from >= (this.domain.to - this.domain.from) * 0.9999;
    }
  };

  /** Share of the duration that is shown before the start: messages kept from long before must not squeeze the rest. */
  const mostBefore = 0.05;

  /** From the first to the last of all that the episode shows. */
  assay.domainOf = ({ receipt, sketch }, marks) => {
    const { duration_s } = receipt.episode;
    const timed = sketch.axes.filter((axis) => axis.samples > 0);
    const near = marks.filter(({ from_s, to_s }) => from_s > -2 * duration_s && to_s < 3 * duration_s);
    const first = Math.min(0, ...timed.map((axis) => axis.from_s));
    const from = Math.min(Math.max(first, -mostBefore * duration_s), ...near.map((mark) => mark.from_s));
    const to = Math.max(duration_s, ...timed.map((axis) => axis.to_s), ...near.map((mark) => mark.to_s));
    return { from, to: to > from ? to : from + 1 };
  };
}
