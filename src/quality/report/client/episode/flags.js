// What was flagged in an episode, with the ways to its places on the timeline.
'use strict';
{
  const { h } = assay;

  /** What was flagged, worst first, each with the way to its place on the timeline. */
  assay.flagPanel = (timeline) => {
    const { flags } = timeline;
    if (flags.length === 0) return assay.panel('flags', 'Flags', '', h('p', { class: 'faint' }, 'No flags.'));
    return assay.panel(
      'flags',
      'Flags',
      assay.plural(flags.length, 'flag'),
      h(
        'ol',
        { class: 'flag-list' },
        assay.flagGroups(flags).map((group) => flagItem(group, timeline)),
      ),
    );
  };

  const shownMarks = 6;

  function flagItem({ raised, score, advices }, timeline) {
    const [{ flag }] = raised;
    return h(
      'li',
      { class: `flag is-${flag.severity}` },
      assay.glyph(flag.severity),
      h(
        'div',
        { class: 'flag-text' },
        h(
          'p',
          { class: 'flag-head' },
          h('b', {}, assay.codeTitle(flag.code)),
          h('span', { class: 'faint' }, `${flag.severity}, ${assay.checkTitle(flag.check)}`),
        ),
        raised.map((each) => [h('p', {}, each.flag.message), places(each, timeline)]),
        advices.map((advice) => h('p', { class: 'advice' }, advice)),
      ),
      h(
        'div',
        { class: 'flag-score' },
        assay.gauge(score, flag.threshold),
        h('span', {}, assay.score(score)),
        h('span', { class: 'faint' }, ` of ${assay.score(flag.threshold)}`),
      ),
    );
  }

  /** The ways to where a flag's marks lie. */
  function places({ flag, index }, timeline) {
    if (timeline.lanes.length === 0 || !timeline.hasLength) return null;
    if (flag.marks.length === 0) return h('p', { class: 'places faint' }, 'whole episode');
    const links = assay.spread(flag.marks, shownMarks).map((mark) =>
      h(
        'button',
        {
          type: 'button',
          class: 'place',
          title: mark.stream,
          on: { click: () => go(timeline, index, mark) },
        },
        assay.formatSpan(mark),
      ),
    );
    return h(
      'p',
      { class: 'places' },
      h('span', { class: 'faint' }, 'at'),
      links,
      h('span', { class: 'faint' }, notSaid(flag, links.length)),
    );
  }

  /** How many places are not linked here, and how many of all the timeline draws. */
  function notSaid({ marks, marked }, links) {
    const rest = marks.length - links;
    const more = rest > 0 ? `and ${assay.count(rest)} more on the timeline` : '';
    const shown = assay.shownOf(marks.length, marked);
    return [more, shown === '' ? '' : `(${shown})`].filter(Boolean).join(' ');
  }

  function go(timeline, index, mark) {
    timeline.choose(index, mark);
    timeline.reveal(mark);
    timeline.element.focus({ preventScroll: true });
  }
}
