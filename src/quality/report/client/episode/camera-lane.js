// The lane of a camera's stored images.
'use strict';
{
  const { h } = assay;

  /** Lane of a camera's images at their times. Images at marks of flags are preferred to the others. */
  assay.CameraLane = class {
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
      this.element = assay.laneRow(
        'film',
        label,
        [this.canvas, ...this.pictures.map(({ element }) => element), empty],
        { isFlagged: marks.length > 0 },
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

    /** Shows the images that do not overlap a more important one at this zoom; the others leave a tick. */
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
  };

  const filmHeight = 72;
  /** Margin in pixels for the frame of an image at the ends of the plot. */
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
}
