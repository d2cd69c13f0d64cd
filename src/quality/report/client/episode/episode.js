// The page of one episode: `episode.html#<number>`.
'use strict';
{
  const { h } = assay;
  const dataset = assay.dataset();
  const total = dataset.dataset.episodes;
  const datasetOf = assay.datasetNames(dataset);
  let shown = 0;

  function numberInAddress() {
    const number = Number.parseInt(location.hash.slice(1), 10);
    return Number.isInteger(number) && number >= 0 ? number : 0;
  }

  /** The data file that holds an episode, and the episode's place in it. */
  async function load(number) {
    const starts = dataset.episode_parts;
    let part = starts.length - 1;
    while (part > 0 && starts[part] > number) part--;
    if (part < 0) throw new Error('the report has no episodes');
    const items = await assay.load('episodes', part);
    const text = items[number - starts[part]];
    if (text === undefined) throw new Error(`the report has no episode ${number}`);
    const episode = JSON.parse(text);
    if (dataset.picture_parts.includes(part)) await addPictures(episode, part, number - starts[part]);
    if (dataset.annotation_parts?.includes(part)) await addAnnotations(episode, part, number - starts[part]);
    return episode;
  }

  async function addPictures({ sketch }, part, place) {
    const text = (await assay.load('pictures', part))[place];
    if (text === null || sketch === null) return;
    for (const [at, thumbnails] of JSON.parse(text).entries()) sketch.cameras[at].thumbnails = thumbnails;
  }

  /** What layers say, and over each picture what they say of it. */
  async function addAnnotations(episode, part, place) {
    const annotations = JSON.parse((await assay.load('annotations', part))[place]);
    if (annotations === null) return;
    episode.annotations = annotations;
    for (const [at, pictures] of annotations.overlays.entries())
      for (const [i, overlays] of pictures.entries())
        if (episode.sketch?.cameras[at]?.thumbnails[i])
          episode.sketch.cameras[at].thumbnails[i].overlays = overlays;
  }

  /** The order in which the index page showed the episodes, or the dataset's. */
  function neighbours(number) {
    let rows = null;
    try {
      const order = JSON.parse(assay.storage.get('order') ?? 'null');
      if (order?.title === dataset.title && order.rows.includes(number)) rows = order.rows;
    } catch {
      rows = null;
    }
    const at = rows ? rows.indexOf(number) : number;
    const count = rows ? rows.length : total;
    const of = (place) => (place < 0 || place >= count ? null : rows ? rows[place] : place);
    return {
      before: of(at - 1),
      after: of(at + 1),
      at,
      count,
      filtered: rows !== null && rows.length < total,
    };
  }

  function top(receipt, number) {
    const { before, after, at, count, filtered } = neighbours(number);
    const part = datasetOf(number);
    const step = (target, text, label) =>
      target === null
        ? h('span', { class: 'step is-off', 'aria-hidden': 'true' }, text)
        : h('a', { class: 'step', href: `#${target}`, 'aria-label': label, title: label }, text);
    return h(
      'header',
      { class: 'top' },
      h('p', { class: 'brand' }, h('a', { href: 'index.html' }, 'Assay')),
      h(
        'nav',
        { class: 'where', 'aria-label': 'Breadcrumb' },
        h('a', { href: 'index.html' }, dataset.title),
        h('span', { class: 'faint' }, ' / '),
        part === null ? null : [part, h('span', { class: 'faint' }, ' / ')],
        receipt.episode.id,
      ),
      h(
        'nav',
        { class: 'steps', 'aria-label': 'Episodes' },
        step(before, '←', 'Previous episode ([)'),
        h(
          'span',
          { class: 'faint' },
          `${assay.count(at + 1)} of ${assay.count(count)}${filtered ? ' shown' : ''}`,
        ),
        step(after, '→', 'Next episode (])'),
      ),
      assay.themeButton(),
    );
  }

  function verdict(receipt) {
    const { episode } = receipt;
    const facts = [
      ['Kind', h('span', { title: receipt.kind.evidence.join('\n') }, assay.kindTitle(receipt.kind.kind))],
      episode.duration_s > 0 ? ['Duration', assay.duration(episode.duration_s)] : null,
      episode.robot === null ? null : ['Robot', episode.robot],
      ['Outcome', h('span', { title: episode.outcome.reason }, episode.outcome.value)],
      ['Evaluated', `${assay.percent(receipt.graded_fraction)} of applicable checks`],
      episode.start_ns === null ? null : ['Start', startText(episode.start_ns)],
    ].filter(Boolean);
    return h(
      'section',
      { class: `verdict is-${receipt.decision}` },
      h(
        'div',
        { class: 'score-block' },
        h('p', { class: 'big-score' }, assay.score(receipt.score)),
        assay.decisionBadge(receipt.decision),
      ),
      h(
        'div',
        { class: 'verdict-text' },
        h('h1', {}, episode.id),
        h('p', { class: 'reason' }, assay.reasonText(receipt.decision_reason)),
        episode.tasks ? tasks(episode.tasks) : null,
        h(
          'dl',
          { class: 'facts' },
          facts.map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value))),
        ),
      ),
    );
  }

  function tasks(list) {
    if (list.length === 0) return h('p', { class: 'faint' }, 'No task text');
    return h('p', { class: 'task' }, [...new Set(list)].map((text) => `“${text}”`).join(' '));
  }

  function startText(nanoseconds) {
    const milliseconds = Number(BigInt(nanoseconds) / 1_000_000n);
    const date = new Date(milliseconds);
    return Number.isNaN(date.getTime())
      ? `${nanoseconds} ns`
      : date.toISOString().replace('T', ' ').replace('Z', ' UTC');
  }

  /** A picture that was taken once has no timeline to stand on. */
  function lonePicture(receipt, sketch) {
    return receipt.episode.duration_s === 0 && sketch.streams.every((stream) => stream.columns.length === 0);
  }

  function picturePanel({ cameras }) {
    const figures = cameras.flatMap((camera) => {
      const caption = h(
        'figcaption',
        {},
        [camera.id, camera.summary ?? camera.reason].filter(Boolean).join(', '),
      );
      const { jpeg } = camera.thumbnails[0] ?? {};
      return h(
        'figure',
        {},
        jpeg ? h('img', { src: `data:image/jpeg;base64,${jpeg}`, alt: `${camera.id}, reduced` }) : null,
        caption,
      );
    });
    if (figures.length === 0) return null;
    return h(
      'section',
      { class: 'panel', 'aria-labelledby': 'picture-title' },
      h('h2', { id: 'picture-title' }, 'Image', h('span', { class: 'tally' }, 'reduced')),
      h('div', { class: 'pictures' }, figures),
    );
  }

  function timelinePanel(timeline) {
    if (timeline.lanes.length === 0) return null;
    const keys = 'drag to zoom, double-click to reset, n and p for next and previous mark';
    return h(
      'section',
      { class: 'panel timeline-panel', 'aria-labelledby': 'timeline-title' },
      h('h2', { id: 'timeline-title' }, 'Timeline', h('span', { class: 'tally no-print' }, keys)),
      timeline.element,
    );
  }

  /** Map of the episode's path, in step with the timeline; null if it has none. */
  function pathPanel(timeline, receipt, sketch) {
    const path = assay.findPath(assay.readStreams({ receipt, sketch }));
    if (path === null) return null;
    const onPoint = (time_s) => timeline.moveCursor(time_s);
    const map = new assay.PathMap({ path, marks: timeline.marks, onPoint });
    timeline.attach(map);
    return h(
      'section',
      { class: 'panel', 'aria-labelledby': 'path-title' },
      h('h2', { id: 'path-title' }, 'Path', h('span', { class: 'tally' }, path.stream)),
      map.element,
    );
  }

  function origins(receipt) {
    const beside = [assay.gripperPanel(receipt), assay.limitPanel(receipt)].filter(Boolean);
    const sources = assay.sourcePanel(receipt);
    return beside.length === 0 ? sources : h('div', { class: 'pair' }, sources, h('div', {}, beside));
  }

  function findings(receipt) {
    return receipt.findings.length > 0 ? assay.findingsPanel(receipt.findings, 'File findings') : null;
  }

  function openTimeline(receipt, sketch, annotations) {
    const flags = assay.flagsShown(receipt, sketch);
    return new assay.Timeline({
      flags,
      groups: (marks, choose) => assay.laneGroups({ receipt, sketch, flags, annotations }, marks, choose),
      axes: sketch.axes
        .filter(({ samples }) => samples > 0)
        .map(({ from_s, to_s }) => ({ from: from_s, to: to_s })),
      duration_s: receipt.episode.duration_s,
      omitted: sketch.omitted,
    });
  }

  async function show() {
    const number = numberInAddress();
    const data = await load(number);
    if (number !== numberInAddress()) return;
    shown = number;
    const { receipt } = data;
    const sketch = data.sketch ?? { axes: [], streams: [], cameras: [], events: [], omitted: [] };
    document.title = `${receipt.episode.id} — ${dataset.title}`;
    const timeline = openTimeline(receipt, sketch, data.annotations ?? null);
    const main = h(
      'main',
      {},
      verdict(receipt),
      assay.flagPanel(timeline),
      pathPanel(timeline, receipt, sketch),
      lonePicture(receipt, sketch) ? picturePanel(sketch) : timelinePanel(timeline),
      assay.componentPanel(receipt, dataset.checks),
      assay.streamPanel(receipt),
      origins(receipt),
      findings(receipt),
      assay.receiptSection(receipt, data.receipt_path),
    );
    for (const old of document.body.querySelectorAll(':scope > :is(header, main, .failure)')) old.remove();
    document.body.append(top(receipt, number), main);
    scrollTo(0, 0);
    timeline.draw();
    assay.timeline?.close();
    assay.timeline = timeline;
  }

  /** The picture as large as it was kept, until dismissed. */
  assay.showPicture = (thumbnail, camera) => {
    const caption = `${camera.id}, ${thumbnail.time_s.toFixed(3)} s${thumbnail.why === 'overview' ? '' : `, ${assay.words(thumbnail.why)}`}`;
    const dialog = h(
      'dialog',
      {
        class: 'picture',
        'aria-label': caption,
        on: { close: () => dialog.remove(), click: () => dialog.close() },
      },
      h(
        'div',
        { class: 'stack' },
        h('img', { src: `data:image/jpeg;base64,${thumbnail.jpeg}`, alt: caption }),
        assay.overlayImages(thumbnail),
      ),
      h('p', {}, caption),
      h('button', { type: 'button', class: 'quiet' }, 'Close'),
    );
    document.body.append(dialog);
    dialog.showModal();
  };

  addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const { before, after } = neighbours(shown);
    if (event.key === '[' && before !== null) location.hash = `#${before}`;
    if (event.key === ']' && after !== null) location.hash = `#${after}`;
  });
  assay.onTheme(() => assay.timeline?.refreshTheme());
  addEventListener('hashchange', () => show().catch(assay.fail));
  show().catch(assay.fail);
}
