// Pictures of episodes on the index, loaded when their rows stay in view.
'use strict';
{
  const { h } = assay;

  /** Frames that fill with the episode's picture once the file that holds it is there. */
  assay.Posters = class {
    constructor(dataset, columns) {
      this.perPart = dataset.posters_per_part;
      this.columns = columns;
      this.parts = new Map();
    }

    frame(i) {
      return this.columns.poster[i] === 0
        ? h('span', { class: 'poster is-none' })
        : h('span', { class: 'poster', 'data-poster': i }, this.image(i));
    }

    image(i) {
      const item = this.parts.get(Math.floor(i / this.perPart))?.[i % this.perPart];
      if (typeof item !== 'string') return null;
      return h('img', { src: `data:image/jpeg;base64,${item}`, alt: '', decoding: 'async' });
    }

    want(i) {
      const part = Math.floor(i / this.perPart);
      if (this.columns.poster[i] === 0 || this.parts.has(part)) return;
      this.parts.set(part, null);
      assay.load('posters', part).then(
        (items) => {
          this.parts.set(part, items);
          this.fill();
        },
        () => this.parts.delete(part),
      );
    }

    fill() {
      for (const frame of document.querySelectorAll('[data-poster]:empty')) {
        const image = this.image(Number(frame.dataset.poster));
        if (image) frame.append(image);
      }
    }
  };
}
