// Groups of lanes of an episode's timeline, from its sketch: flags, annotations, cameras, sample intervals, streams, events.
'use strict';
{
  /** Checks about when samples were taken, not about their values. */
  const clockChecks = new Set(['timeline_integrity', 'signal_sync']);

  /** Returns the groups of lanes of an episode; lanes of flags call `choose` with a mark. */
  assay.laneGroups = ({ receipt, sketch, flags, annotations }, marks, choose) => {
    const axes = sketch.axes.map(assay.readAxis);
    const context = { receipt, sketch, axes, marks };
    return [
      assay.flagGroup(flags, marks, choose),
      annotationGroup(annotations),
      ...sketch.cameras.map((camera) => cameraGroup(context, camera)),
      intervalGroup(context),
      ...assay.signalGroups(assay.readStreams(context), marks),
      eventGroup(sketch),
    ].filter((group) => group !== null);
  };

  function annotationGroup(annotations) {
    if (annotations === null) return null;
    const { segments, captions } = annotations;
    const lanes = [];
    if (segments.length > 0) {
      const spans = segments.map(({ kind, ...span }) => ({ ...span, text: assay.words(kind) }));
      lanes.push(new assay.SpanLane('segments', spans));
    }
    if (captions.some(({ text }) => text !== '')) lanes.push(new assay.SpanLane('captions', captions));
    return lanes.length === 0 ? null : { title: 'Annotations', about: [], lanes, more: [] };
  }

  function cameraGroup({ axes, marks }, camera) {
    const own = marks.filter((mark) => mark.stream === camera.id);
    const film = new assay.CameraLane({ camera, marks: own, show: assay.showPicture });
    const traces = camera.axis === null ? [] : camera.traces;
    const lanes = traces.map(({ name, column }) =>
      trace(name, own, { name, column: assay.readColumn(column, axes[camera.axis]) }),
    );
    return {
      title: camera.id,
      about: [camera.summary ?? camera.reason ?? assay.words(camera.decodable)],
      lanes: [film, ...lanes],
      controls: assay.layerSwitches(camera),
      more: [],
    };
  }

  function trace(label, marks, curve) {
    const curves = [{ ...curve, colour: 'state', width: 1.2 }];
    return new assay.SeriesLane({ kind: 'trace', label, marks, curves });
  }

  function intervalGroup({ sketch, axes, marks }) {
    const lanes = [];
    for (const [index, axis] of sketch.axes.entries()) {
      if (axis.interval === null) continue;
      const streams = sketch.streams.filter((stream) => stream.axis === index).map((stream) => stream.id);
      if (streams.length === 0) continue;
      const own = marks.filter((mark) => streams.includes(mark.stream) && clockChecks.has(mark.check));
      const label = streams.length > 2 ? `${streams[0]} and ${streams.length - 1} more` : streams.join(', ');
      const column = assay.readColumn(axis.interval, axes[index], 1000);
      lanes.push(trace(label, own, { name: 'interval in ms', steps: true, column }));
    }
    if (lanes.length === 0) return null;
    return {
      title: 'Time between samples',
      about: ['ms'],
      ...assay.splitLanes(lanes),
    };
  }

  /** Returns the sketch's streams with their values unpacked. */
  assay.readStreams = ({ receipt, sketch, axes = sketch.axes.map(assay.readAxis) }) => {
    const facts = new Map(receipt.streams.map((stream) => [stream.id, stream]));
    return sketch.streams.map((stream) => ({
      id: stream.id,
      role: facts.get(stream.id)?.role ?? null,
      names: stream.columns.map((_, d) => stream.names?.[d] ?? null),
      dims: stream.dims,
      columns: stream.columns.map((column) => assay.readColumn(column, axes[stream.axis])),
      about: describeStream(stream, facts.get(stream.id)),
    }));
  };

  function describeStream(stream, facts) {
    if (!facts) return [];
    const rate = facts.measured_rate_hz ?? facts.declared_rate_hz;
    const clock = facts.clock
      ? `${facts.clock.provenance} clock`
      : stream.timed
        ? null
        : 'no clock: shown by sample number';
    return [
      facts.unit.unit === 'unknown' ? 'unit unknown' : facts.unit.unit,
      rate === null ? null : `${assay.number(rate)} Hz`,
      clock,
    ].filter((text) => text !== null);
  }

  function eventGroup({ events }) {
    if (events.length === 0) return null;
    return { title: 'Events', about: [], lanes: [new assay.EventLane(events)], more: [] };
  }
}
