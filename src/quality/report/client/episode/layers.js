// Drawings of annotation layers over pictures, which can be shown and hidden.
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
}
