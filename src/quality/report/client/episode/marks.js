// Where flags speak of: every place that is known, and how many there are where not all are.
'use strict';
{
  /** Members of what was measured that count what a flag marks. */
  const counted = {
    recorder_dropout: 'count',
    timestamps_not_monotonic: 'reversals',
    timestamps_duplicated: 'duplicates',
  };
  /** As many places as a receipt names of one thing at most: where there are so many, there may be more. */
  const bounds = new Set([8, 16]);

  /**
   * The receipt's flags with `marks` to draw, and `marked`: how many there are, null where that is not known. A receipt
   * names the four longest of repeated frames; the sketch knows them all.
   */
  assay.flagsShown = (receipt, sketch) =>
    receipt.flags.map((flag) => {
      const camera = sketch.cameras.find(({ id }) => id === flag.marks[0]?.stream);
      const isRepeat = flag.code === 'camera_frames_repeated' && camera !== undefined;
      if (isRepeat && camera.repeats.length >= flag.marks.length) {
        const marks = camera.repeats.map(([from_s, to_s]) => ({ stream: camera.id, from_s, to_s }));
        return withCount({ ...flag, marks }, camera.repeated ?? marks.length);
      }
      return withCount(flag, countOf(flag, receipt));
    });

  /** The flag with `marked`, and as `note` how many of its marks the timeline shows. */
  const withCount = (flag, marked) => ({
    ...flag,
    marked,
    note: assay.shownOf(Math.min(assay.maxMarks, flag.marks.length), marked),
  });

  function countOf(flag, receipt) {
    const { marks, code, check } = flag;
    const member = counted[code];
    const component = receipt.checks.find(({ id }) => id === check);
    const found = member === undefined ? null : find(component?.inputs, member, marks[0]?.stream);
    if (found !== null && found >= marks.length) return found;
    return bounds.has(marks.length) ? null : marks.length;
  }

  /** The first number called `member`, of the stream where its object names one. */
  function find(value, member, stream) {
    if (typeof value !== 'object' || value === null) return null;
    if (typeof value[member] === 'number' && (value.stream === undefined || value.stream === stream))
      return value[member];
    for (const each of Object.values(value)) {
      const found = find(each, member, stream);
      if (found !== null) return found;
    }
    return null;
  }

  /** `4 of 100 shown`; nothing where all are. */
  assay.shownOf = (drawn, marked) => {
    if (marked === null) return `${assay.plural(drawn, 'mark')} shown; there may be more`;
    return marked > drawn ? `${assay.count(drawn)} of ${assay.count(marked)} shown` : '';
  };
}
