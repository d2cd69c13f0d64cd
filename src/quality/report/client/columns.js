// The table of episodes as columns, and what filters and sorting make of it.
'use strict';
{
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const digitOf = new Uint8Array(128);
  for (let i = 0; i < 64; i++) digitOf[alphabet.charCodeAt(i)] = i;

  const noScore = 1001;

  /** Joins the row parts into columns over all episodes. */
  assay.readColumns = (dataset) => {
    const parts = [];
    for (let part = 0; assay.data.has(`rows-${part}`); part++)
      parts.push(JSON.parse(assay.data.get(`rows-${part}`)[0]));
    const joined = (name) => parts.flatMap((part) => part[name]);
    const id = joined('id');
    const count = id.length;
    const checks = dataset.checks.length;
    const flags = joined('flags');
    return {
      count,
      id,
      decision: Uint8Array.from(joined('decision'), (decision) => assay.decisions.indexOf(decision)),
      score: Float32Array.from(joined('score'), (score) => score ?? Number.NaN),
      graded: Float32Array.from(joined('graded')),
      duration_s: Float64Array.from(joined('duration_s')),
      kind: Uint8Array.from(joined('kind')),
      task: Int32Array.from(joined('task')),
      poster: Uint8Array.from(joined('poster')),
      flags,
      components: readComponents(parts, count, checks),
    };
  };

  function readComponents(parts, count, checks) {
    const codes = new Uint16Array(count * checks);
    let at = 0;
    for (const { components } of parts) {
      for (let i = 0; i < components.length; i += 2) {
        codes[at++] = (digitOf[components.charCodeAt(i)] << 6) | digitOf[components.charCodeAt(i + 1)];
      }
    }
    return codes;
  }

  /** A fresh filter: everything passes. */
  assay.noFilter = () => ({
    text: '',
    decisions: new Set(),
    flags: new Set(),
    kinds: new Set(),
    check: null,
    from: 0,
    to: 1,
  });

  /** Episodes that pass, in the dataset's order. Flags chosen together mean any of them. */
  assay.applyFilter = (columns, filter, searchText) => {
    const out = new Uint32Array(columns.count);
    const terms = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const anyScore = filter.from <= 0 && filter.to >= 1;
    let passed = 0;
    for (let i = 0; i < columns.count; i++) {
      if (filter.decisions.size > 0 && !filter.decisions.has(columns.decision[i])) continue;
      if (filter.kinds.size > 0 && !filter.kinds.has(columns.kind[i])) continue;
      if (!anyScore && !(columns.score[i] >= filter.from - 1e-6 && columns.score[i] <= filter.to + 1e-6))
        continue;
      if (filter.flags.size > 0 && !columns.flags[i].some((flag) => filter.flags.has(flag))) continue;
      if (terms.length > 0) {
        const text = searchText(i);
        if (!terms.every((term) => text.includes(term))) continue;
      }
      out[passed++] = i;
    }
    return out.subarray(0, passed);
  };

  /** Compares by one column; ties keep the dataset's order, whichever way is up. */
  const orders = {
    index: () => (a, b) => a - b,
    id: (columns) => {
      const { compare } = new Intl.Collator('en', { numeric: true });
      return (a, b) => compare(columns.id[a], columns.id[b]);
    },
    decision: (columns) => (a, b) => columns.decision[a] - columns.decision[b] || byScore(columns, b, a),
    score: (columns) => (a, b) => byScore(columns, a, b),
    duration: (columns) => (a, b) => columns.duration_s[a] - columns.duration_s[b],
    flags: (columns) => (a, b) => columns.flags[a].length - columns.flags[b].length,
    check:
      (columns, { checks, check }) =>
      (a, b) =>
        columns.components[a * checks + check] - columns.components[b * checks + check],
  };

  function byScore(columns, a, b) {
    const left = Number.isNaN(columns.score[a]) ? -1 : columns.score[a];
    const right = Number.isNaN(columns.score[b]) ? -1 : columns.score[b];
    return left - right;
  }

  assay.sortRows = (columns, rows, sort) => {
    if (sort.by === 'index' && !sort.descending) return rows;
    const compare = orders[sort.by](columns, sort);
    const sign = sort.descending ? -1 : 1;
    return rows.slice().sort((a, b) => sign * compare(a, b) || a - b);
  };

  /** Score histogram: per bin the count of each decision; `unscored` counts episodes without a score. */
  assay.scoreHistogram = (columns, rows, bins) => {
    const counts = new Uint32Array(bins * 3);
    let unscored = 0;
    for (const i of rows) {
      const score = columns.score[i];
      if (Number.isNaN(score)) unscored++;
      else counts[3 * Math.min(bins - 1, Math.floor(score * bins + 1e-6)) + columns.decision[i]]++;
    }
    return { counts, unscored };
  };

  /** What the rows say of one check: histogram of its scores and how many could not be scored, by reason. */
  assay.checkSummary = (columns, rows, check, bins) => {
    const { index, checks, threshold } = check;
    const counts = new Uint32Array(bins);
    const low = new Uint32Array(bins);
    const reasons = ['inapplicable', 'not_assessable', 'disabled'];
    const unscored = { inapplicable: 0, not_assessable: 0, disabled: 0 };
    let scored = 0;
    let sum = 0;
    for (const i of rows) {
      const code = columns.components[i * checks + index];
      if (code >= noScore) {
        const reason = reasons[code - noScore];
        if (reason) unscored[reason]++;
        continue;
      }
      const bin = Math.min(bins - 1, Math.floor((code * bins) / 1000));
      scored++;
      sum += code / 1000;
      counts[bin]++;
      if (code < 1000 * threshold) low[bin]++;
    }
    return { counts, low, scored, mean: scored > 0 ? sum / scored : null, unscored };
  };
  /** How many of the rows carry each flag. */
  assay.flagCounts = (columns, rows, flags) => {
    const counts = new Uint32Array(flags);
    for (const i of rows) for (const flag of columns.flags[i]) counts[flag]++;
    return counts;
  };
}
