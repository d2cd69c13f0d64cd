// What annotation layers say: spans on the timeline, and drawings over pictures that can be shown and hidden.
'use strict';
{
  const { h } = assay;
  /** Layers that cover the picture are shown when asked for. */
  const hidden = new Set(['depth', 'optical_flow', 'segmentation']);

  /** Drawings over a picture, each in an image of its own: markup of theirs never becomes the page's. */
  assay.overlayImages = ({ overlays = [] }) =>
    overlays.map(({ layer, svg }) =>
      h('img', {
        class: 'over',
        src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
        alt: '',
        'data-layer': layer,
        hidden: hidden.has(layer),
        draggable: 'false',
      }),
    );

  /** A box to tick for each layer that something is drawn of over the camera's pictures; null where none is. */
  assay.layerSwitches = ({ thumbnails }) => {
    const layers = [
      ...new Set(thumbnails.flatMap(({ overlays = [] }) => overlays.map(({ layer }) => layer))),
    ];
    if (layers.length === 0) return null;
    return h(
      'span',
      { class: 'switches no-print' },
      layers.map((layer) =>
        h(
          'label',
          {},
          h('input', {
            type: 'checkbox',
            checked: !hidden.has(layer),
            'data-switch': layer,
            on: { change: (event) => show(layer, event.target.checked) },
          }),
          assay.layerTitle(layer),
        ),
      ),
    );
  };

  function show(layer, isShown) {
    if (isShown) hidden.delete(layer);
    else hidden.add(layer);
    for (const image of document.querySelectorAll('img.over'))
      if (image.dataset.layer === layer) image.hidden = !isShown;
    for (const box of document.querySelectorAll('input[data-switch]'))
      if (box.dataset.switch === layer) box.checked = isShown;
  }

  /** Spans with words, one after the other: {from_s, to_s, text}. */
  assay.SpanLane = class {
    constructor(label, spans) {
      this.spans = spans;
      this.canvas = h('canvas', {
        role: 'img',
        'aria-label': `${label}: ${spans.map((span) => `${assay.span(span)} ${span.text}`).join('; ')}`,
      });
      this.element = h(
        'div',
        { class: 'lane lane-events' },
        h('div', { class: 'lane-label' }, h('span', { class: 'lane-name' }, label)),
        h('div', { class: 'lane-plot' }, this.canvas),
      );
    }

    draw(view, palette) {
      const surface = assay.surface(this.canvas);
      if (surface === null) return;
      const { context, height } = surface;
      context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      for (const [at, { from_s, to_s, text }] of this.spans.entries()) {
        const [from, to] = [view.x(from_s), view.x(to_s)];
        if (to < 0 || from > view.width) continue;
        context.fillStyle = palette.accent;
        context.globalAlpha = at % 2 === 0 ? 0.22 : 0.12;
        context.fillRect(from, 2, Math.max(1, to - from - 1), height - 4);
        context.globalAlpha = 1;
        const start = Math.max(0, from) + 4;
        context.save();
        context.beginPath();
        context.rect(start, 0, Math.max(0, to - start - 4), height);
        context.clip();
        context.fillStyle = palette.soft;
        context.fillText(text, start, height / 2 + 4);
        context.restore();
      }
    }

    read(time_s) {
      const span = this.spans.find(
        ({ from_s, to_s }) => time_s !== null && time_s >= from_s && time_s < to_s,
      );
      this.canvas.title = span?.text ?? '';
    }
  };
}
