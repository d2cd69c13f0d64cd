// Films of an episode's cameras, in step with its timeline, where the report carries any.
'use strict';
{
  const { h } = assay;
  const films = JSON.parse(assay.data.get('films-0')[0]);
  const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
  /** Beyond this a film jumps to where it should be; within it is played a little faster or slower. */
  const jump_s = 0.3;
  /** Behind the stamp of a frame: what lies right on it may show the one before. */
  const behind_s = 0.001;
  const usualRate_hz = 30;

  /** The cameras of an episode, and the time that they show. */
  class Films {
    constructor(own, timeline, duration_s) {
      this.timeline = timeline;
      this.duration_s = duration_s;
      this.time_s = 0;
      this.playing = false;
      this.loop = null;
      this.rate_hz = own.find(({ rate_hz }) => rate_hz !== null)?.rate_hz ?? usualRate_hz;
      this.cameras = own.map((film) => camera(film));
      this.shown = this.cameras.filter(({ video }) => video !== null);
      this.button = h(
        'button',
        { type: 'button', class: 'quiet', on: { click: () => this.toggle() } },
        'Play',
      );
      this.speed = h(
        'select',
        { 'aria-label': 'Speed' },
        speeds.map((speed) => h('option', { value: speed, selected: speed === 1 }, `${speed}×`)),
      );
      this.status = h('span', { class: 'faint' });
      const keys = 'space: play or pause, comma and full stop: step one frame, l: loop a mark';
      this.element = h(
        'div',
        { class: 'films' },
        h(
          'div',
          { class: 'film-row' },
          this.cameras.map(({ element }) => element),
        ),
        h(
          'p',
          { class: 'film-controls' },
          this.button,
          this.speed,
          this.status,
          h('span', { class: 'faint no-print' }, keys),
        ),
      );
    }

    toggle() {
      if (this.playing) this.pause();
      else this.play();
    }

    play() {
      if (this.shown.length === 0) return;
      const [from_s, to_s] = this.bounds();
      if (this.time_s >= to_s || this.time_s < from_s) this.time_s = from_s;
      this.playing = true;
      this.button.textContent = 'Pause';
      this.last_ms = performance.now();
      requestAnimationFrame((now_ms) => this.tick(now_ms));
    }

    pause() {
      this.playing = false;
      this.button.textContent = 'Play';
      this.follow();
    }

    bounds() {
      if (this.loop === null) return [0, this.duration_s];
      return [this.loop.from_s, Math.max(this.loop.to_s, this.loop.from_s + 1)];
    }

    tick(now_ms) {
      if (!this.playing) return;
      if (!this.element.isConnected) return this.pause();
      const waits = this.shown.some((one) => one.covers(this.time_s) && one.video.readyState < 2);
      if (!waits) this.time_s += (Math.max(0, now_ms - this.last_ms) / 1000) * Number(this.speed.value);
      this.last_ms = now_ms;
      const [from_s, to_s] = this.bounds();
      if (this.time_s >= to_s) {
        this.time_s = this.loop === null ? to_s : from_s;
        if (this.loop === null) this.pause();
      }
      this.timeline.moveCursor(this.time_s);
      this.follow();
      requestAnimationFrame((next_ms) => this.tick(next_ms));
    }

    seek(time_s) {
      this.time_s = Math.min(this.duration_s, Math.max(0, time_s));
      this.follow();
    }

    follow() {
      for (const one of this.shown) one.follow(this.time_s, this.playing, Number(this.speed.value));
    }

    step(by) {
      this.pause();
      this.seek((Math.floor(this.time_s * this.rate_hz + 1e-3) + by) / this.rate_hz);
      this.timeline.moveCursor(this.time_s);
    }

    toggleLoop() {
      const at = ({ from_s, to_s }) => from_s <= this.time_s && to_s >= this.time_s;
      this.loop = this.loop === null ? (this.timeline.marks.find(at) ?? null) : null;
      this.status.textContent = this.loop === null ? '' : `looping ${assay.formatSpan(this.loop)}`;
    }
  }

  /** One film, or why there is none. */
  function camera({ camera: id, file, starts_s, cut_s, problem }) {
    const cut = cut_s === null || file === null ? null : h('span', { class: 'faint' }, ` first ${cut_s} s`);
    const video =
      file === null ? null : h('video', { src: file, playsinline: true, preload: 'auto', 'aria-label': id });
    if (video !== null) video.muted = true;
    const none = video === null ? h('p', { class: 'film-none' }, problem) : null;
    const element = h('figure', {}, video ?? none, h('figcaption', {}, id, cut));
    video?.addEventListener('error', () =>
      video.replaceWith(h('p', { class: 'film-none' }, 'This browser cannot play the video.')),
    );
    const covers = (time_s) =>
      time_s >= starts_s && time_s - starts_s < (video.duration || Number.POSITIVE_INFINITY);
    let wanted_s = 0;
    const stand = () => {
      if (!video.seeking && Math.abs(video.currentTime - wanted_s) > 0.003) video.currentTime = wanted_s;
    };
    video?.addEventListener('seeked', () => video.paused && stand());
    video?.addEventListener('loadeddata', stand);
    const follow = (time_s, playing, speed) => {
      wanted_s = Math.max(0, time_s - starts_s) + behind_s;
      if (!playing || !covers(time_s)) {
        video.pause();
        return stand();
      }
      const drift_s = video.currentTime - wanted_s;
      if (Math.abs(drift_s) > jump_s * Math.max(1, speed)) stand();
      const rate = Math.max(0.0625, speed * (1 - Math.min(0.25, Math.max(-0.25, 2 * drift_s))));
      if (Math.abs(video.playbackRate - rate) > 0.02) video.playbackRate = rate;
      if (video.paused) video.play().catch(() => {});
    };
    return { element, video, covers, follow };
  }

  const Plain = assay.Timeline;

  /** A timeline whose cursor the films follow, and which follows the films while they play. */
  assay.Timeline = class extends Plain {
    constructor(options) {
      super(options);
      const number = Number.parseInt(location.hash.slice(1), 10) || 0;
      const own = films.filter((film) => film.number === number);
      if (own.length === 0) return;
      this.films = new Films(own, this, options.duration_s);
      this.element.prepend(this.films.element);
    }

    moveCursor(time_s) {
      const { films: own } = this;
      if (own?.playing) return super.moveCursor(own.time_s);
      super.moveCursor(time_s);
      if (time_s !== null && time_s !== own?.time_s) own?.seek(time_s);
    }

    choose(flag, mark) {
      super.choose(flag, mark);
      if (mark) this.films?.seek(mark.from_s);
      if (mark && this.films?.loop) this.films.loop = mark;
    }

    key(event) {
      const own = this.films;
      const isField = event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement;
      const acts = {
        ' ': () => own.toggle(),
        ',': () => own.step(-1),
        '.': () => own.step(1),
        l: () => own.toggleLoop(),
      };
      const act =
        own && !isField && !event.altKey && !event.ctrlKey && !event.metaKey ? acts[event.key] : undefined;
      if (act === undefined) return super.key(event);
      event.preventDefault();
      act();
    }
  };
}
