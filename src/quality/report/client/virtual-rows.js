// Draws only the rows that can be seen, however many there are; the page itself scrolls.
'use strict';
{
  const { h } = assay;
  const overscan = 8;

  /**
   * `render(row)` gives the element of a row; `settled(first, last)` is told which rows stay in view once scrolling
   * pauses. Every row has the same height in px.
   */
  assay.VirtualRows = class {
    constructor({ render, settled }) {
      this.render = render;
      this.settled = settled;
      this.element = h('div', { class: 'virtual', role: 'rowgroup' });
      this.shown = new Map();
      this.count = 0;
      this.height = 40;
      const update = assay.eachFrame(() => this.update());
      addEventListener('scroll', update, { passive: true });
      addEventListener('resize', update);
    }

    update() {
      const { count, height } = this;
      const top = -this.element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(top / height) - overscan);
      const last = Math.min(count - 1, Math.max(0, Math.ceil((top + innerHeight) / height)) + overscan);
      this.place(first, last);
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.settled(first, last), 90);
    }

    place(first, last) {
      for (const [row, child] of this.shown) {
        if (row >= first && row <= last) continue;
        child.remove();
        this.shown.delete(row);
      }
      const added = [];
      for (let row = first; row <= last; row++) {
        if (this.shown.has(row)) continue;
        const child = this.render(row);
        child.style.top = `${row * this.height}px`;
        this.shown.set(row, child);
        added.push(child);
      }
      this.element.append(...added);
    }

    /** Forgets what is drawn and draws `count` rows of `height` px. */
    reset(count, height) {
      this.count = count;
      this.height = height;
      for (const child of this.shown.values()) child.remove();
      this.shown.clear();
      this.element.style.height = `${count * height}px`;
      this.update();
    }

    /** Scrolls so that the row is in view below what sticks to the top, and gives its element. */
    reveal(row, below) {
      const top = this.element.getBoundingClientRect().top + row * this.height;
      if (top < below) scrollBy(0, top - below);
      else if (top + this.height > innerHeight) scrollBy(0, top + this.height - innerHeight + 8);
      this.update();
      return this.shown.get(row);
    }
  };
}
