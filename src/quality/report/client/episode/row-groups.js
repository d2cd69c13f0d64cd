// Which lanes an episode's timeline has, in groups: flags, cameras, sample intervals, streams.
'use strict';
{
  const { h } = assay;
  const shownAtFirst = 16;
  /** Checks that speak of when samples were taken, not of what they say. */
  const clockChecks = new Set(['timeline_integrity', 'signal_sync']);

  /** Groups of lanes: {title, about, lanes, more}. `more` lanes are shown when asked for. */
  assay.laneGroups = ({ receipt, sketch, flags, annotations }, actions) => {
    const marks = flags.flatMap((flag, index) =>
      flag.marks.map((mark) => ({
        ...mark,
        flag: index,
        severity: flag.severity,
        code: flag.code,
        check: flag.check,
      })),
    );
    const axes = sketch.axes.map(assay.readAxis);
    const context = {
      flags,
      receipt,
      sketch,
      axes,
      marks,
      actions,
      facts: new Map(receipt.streams.map((stream) => [stream.id, stream])),
    };
    return [
      flagGroup(context),
      annotationGroup(annotations),
      ...sketch.cameras.map((camera) => cameraGroup(context, camera)),
      ...intervalGroup(context),
      ...streamGroups(context),
      eventGroup(sketch),
    ].filter(Boolean);
  };

  function flagGroup({ flags, marks, actions }) {
    const lanes = flags
      .map((flag, index) => ({ flag, index, marks: marks.filter((mark) => mark.flag === index) }))
      .filter((each) => each.marks.length > 0);
    if (lanes.length === 0) return null;
    return {
      title: 'Flags',
      about: [],
      lanes: lanes.map((each) => new assay.FlagLane({ ...each, choose: actions.choose })),
      more: [],
    };
  }

  function annotationGroup(annotations) {
    if (annotations === null) return null;
    const { segments, captions } = annotations;
    const lanes = [
      segments.length > 0
        ? new assay.SpanLane(
            'segments',
            segments.map(({ kind, ...span }) => ({ ...span, text: assay.words(kind) })),
          )
        : null,
      captions.some(({ text }) => text !== '') ? new assay.SpanLane('captions', captions) : null,
    ].filter(Boolean);
    return lanes.length === 0 ? null : { title: 'Annotations', about: [], lanes, more: [] };
  }

  function cameraGroup({ sketch, axes, marks }, camera, actions) {
    const own = marks.filter((mark) => mark.stream === camera.id);
    const film = new assay.FilmLane({ camera, marks: own, show: assay.showPicture });
    const traces =
      camera.axis === null
        ? []
        : camera.traces.map(
            ({ name, column }) =>
              new assay.SeriesLane({
                kind: 'trace',
                label: name,
                marks: own,
                curves: [
                  { name, column: assay.readColumn(column, axes[camera.axis]), colour: 'state', width: 1.2 },
                ],
              }),
          );
    return {
      title: camera.id,
      about: [camera.summary ?? camera.reason ?? assay.words(camera.decodable)],
      lanes: [film, ...traces],
      switches: assay.layerSwitches(camera),
      more: [],
      sketch,
      actions,
    };
  }

  function intervalGroup({ sketch, axes, marks }) {
    const lanes = [];
    for (const [index, axis] of sketch.axes.entries()) {
      if (axis.interval === null) continue;
      const streams = sketch.streams.filter((stream) => stream.axis === index).map((stream) => stream.id);
      if (streams.length === 0) continue;
      const own = marks.filter((mark) => streams.includes(mark.stream) && clockChecks.has(mark.check));
      const label = streams.length > 2 ? `${streams[0]} and ${streams.length - 1} more` : streams.join(', ');
      lanes.push(
        new assay.SeriesLane({
          kind: 'trace',
          label,
          marks: own,
          curves: [
            {
              name: 'interval in ms',
              steps: true,
              column: assay.readColumn(axis.interval, axes[index], 1000),
              colour: 'state',
              width: 1.2,
            },
          ],
        }),
      );
    }
    if (lanes.length === 0) return [];
    return [
      {
        title: 'Time between samples',
        about: ['ms'],
        lanes: lanes.slice(0, shownAtFirst),
        more: lanes.slice(shownAtFirst),
      },
    ];
  }

  const roleOrder = ['state', 'action'];

  function streamGroups(context) {
    const { sketch, facts } = context;
    const rank = (stream) => {
      const at = roleOrder.indexOf(facts.get(stream.id)?.role);
      return at < 0 ? roleOrder.length : at;
    };
    const streams = sketch.streams
      .filter((stream) => stream.columns.length > 0)
      .sort((a, b) => rank(a) - rank(b));
    const groups = [];
    const done = new Set();
    for (const stream of streams) {
      if (done.has(stream)) continue;
      const partner = partnerOf(stream, streams, context);
      if (partner) done.add(partner);
      groups.push(streamGroup(stream, partner, context));
    }
    return groups;
  }

  /** The action drawn over a state: as many dimensions, and in most of them ranges that can share an axis. */
  function partnerOf(state, streams, { facts }) {
    if (facts.get(state.id)?.role !== 'state') return null;
    const action = streams.find(
      (each) =>
        facts.get(each.id)?.role === 'action' &&
        each.dims === state.dims &&
        each.columns.length === state.columns.length,
    );
    if (!action) return null;
    const alike = state.columns.filter((column, d) => sharesScale(column, action.columns[d])).length;
    return alike > state.columns.length / 2 ? action : null;
  }

  function sharesScale(a, b) {
    const overlap = Math.min(a.high, b.high) - Math.max(a.low, b.low);
    const spread = Math.max(a.high - a.low, b.high - b.low);
    return spread === 0 ? a.low === b.low : overlap > 0.2 * spread;
  }

  function streamGroup(stream, partner, context) {
    const { axes, marks, facts } = context;
    const members = partner ? [stream, partner] : [stream];
    const ids = members.map((each) => each.id);
    const all = stream.columns.map((_, d) => {
      const own = marks.filter(
        (mark) => ids.includes(mark.stream) && (mark.dimension === undefined || mark.dimension === d),
      );
      const curves = members.map((each, i) => ({
        name: each.id,
        column: assay.readColumn(each.columns[d], axes[each.axis]),
        colour: i === 0 && facts.get(each.id)?.role !== 'action' ? 'state' : 'action',
        width: i === 0 ? 1.5 : 1.2,
      }));
      const lane = new assay.SeriesLane({
        label: stream.names?.[d] ?? `${d}`,
        curves: curves.reverse(),
        marks: own,
      });
      lane.pointed = own.some((mark) => mark.dimension === d);
      return lane;
    });
    const first =
      all.length <= shownAtFirst + 4 ? all : all.filter((lane, d) => d < shownAtFirst || lane.pointed);
    const more = all.filter((lane) => !first.includes(lane));
    return {
      title: ids[0],
      partner: partner?.id ?? null,
      about: aboutStream(stream, facts.get(stream.id)),
      lanes: first,
      more,
    };
  }

  function aboutStream(stream, facts) {
    if (!facts) return [];
    const rate = facts.measured_rate_hz ?? facts.declared_rate_hz;
    return [
      facts.unit.unit === 'unknown' ? 'unit unknown' : facts.unit.unit,
      rate === null ? null : `${assay.number(rate)} Hz`,
      facts.clock
        ? `${facts.clock.provenance} clock`
        : stream.timed
          ? null
          : 'no clock: shown by sample number',
    ].filter(Boolean);
  }

  function eventGroup({ events }) {
    return events.length === 0
      ? null
      : { title: 'Events', about: [], lanes: [new assay.EventLane(events)], more: [] };
  }

  /** The group's heading with its lanes. */
  assay.groupElement = (group, redraw) => {
    const legend = group.partner
      ? h(
          'span',
          { class: 'legend' },
          h('span', { class: 'swatch is-state' }),
          'state',
          h('span', { class: 'swatch is-action' }),
          h('code', {}, group.partner),
        )
      : null;
    const lanes = h(
      'div',
      { class: 'lanes' },
      group.lanes.map((lane) => lane.element),
    );
    const more = group.more.length > 0 ? moreButton(group, lanes, redraw) : null;
    return h(
      'section',
      { class: 'group', 'aria-label': group.title },
      h(
        'h3',
        {},
        h('span', { class: 'group-title' }, group.title),
        legend,
        h('span', { class: 'faint' }, group.about.join(' · ')),
        group.switches ?? null,
      ),
      lanes,
      more,
    );
  };

  function moreButton(group, lanes, redraw) {
    const button = h(
      'button',
      { type: 'button', class: 'quiet more' },
      `Show ${assay.plural(group.more.length, 'more dimension')}`,
    );
    button.addEventListener('click', () => {
      lanes.append(...group.more.map((lane) => lane.element));
      group.lanes.push(...group.more.splice(0));
      button.remove();
      redraw();
    });
    return button;
  }
}
