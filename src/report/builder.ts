import type { Assessment } from '#contract';
import { decisionBounds, formulaText } from '#readiness';
import { dataFile, quoted } from './data-file.ts';
import { episodePage, indexPage } from './pages.ts';
import type { RenderedEpisode, ReportBuilder, ReportFile, ReportOptions } from './report-types.ts';
import { RowTable } from './row-table.ts';

const episodesPerFile = 64;
const charactersPerFile = 2_000_000;
const postersPerFile = 128;
const nothing = 'null';

/**
 * Starts a report. The files of `add` and `finish` and the `reportAssets` together make it; `index.html` comes last, so
 * that a report which was cut short does not look finished.
 */
export function createReport(options: ReportOptions): ReportBuilder {
  const checks = options.checks.map(describe);
  const rows = new RowTable(checks.map((check) => check.id));
  const episodes = new Pack('episodes', episodesPerFile, charactersPerFile);
  const posters = new Pack('posters', postersPerFile, Number.POSITIVE_INFINITY);
  return {
    add({ row, data, poster }: RenderedEpisode) {
      return [
        ...rows.add(row, poster !== null),
        ...episodes.add(data),
        ...posters.add(poster === null ? nothing : quoted(poster)),
      ];
    },
    finish(dataset: Assessment['dataset']) {
      const files = [...rows.flush(), ...episodes.flush(), ...posters.flush()];
      const summary = {
        title: options.title,
        dataset,
        bounds: { accept: decisionBounds.accept, reject: decisionBounds.reject },
        checks,
        ...rows.dictionaries,
        episode_parts: episodes.starts,
        posters_per_part: postersPerFile,
      };
      files.push(
        { path: 'data/dataset.js', content: dataFile('dataset', 0, [quoted(JSON.stringify(summary))]) },
        { path: 'episode.html', content: episodePage(options.title) },
        { path: 'index.html', content: indexPage(options.title, rows.parts) },
      );
      return files;
    },
  };
}

function describe({ id, title, needs, formula, threshold, weight, flags }: ReportOptions['checks'][number]) {
  return {
    id,
    title,
    needs,
    formula: formulaText(formula),
    threshold: threshold.value,
    threshold_source: threshold.source,
    weight,
    flags: flags.map(({ code, meaning }) => ({ code, meaning })),
  };
}

/** Items packed into files until one is full; a file of nothing is left out. */
class Pack {
  /** Number of the first item of each file. */
  readonly starts: number[] = [];
  readonly #slot: string;
  readonly #most: number;
  readonly #characters: number;
  #items: string[] = [];
  #held = 0;
  #added = 0;

  constructor(slot: string, most: number, characters: number) {
    this.#slot = slot;
    this.#most = most;
    this.#characters = characters;
  }

  add(item: string): ReportFile[] {
    this.#items.push(item);
    this.#held += item.length;
    this.#added++;
    return this.#items.length >= this.#most || this.#held >= this.#characters ? this.flush() : [];
  }

  flush(): ReportFile[] {
    if (this.#items.length === 0) return [];
    const part = this.starts.push(this.#added - this.#items.length) - 1;
    const items = this.#items;
    this.#items = [];
    this.#held = 0;
    if (items.every((item) => item === nothing)) return [];
    return [{ path: `data/${this.#slot}-${part}.js`, content: dataFile(this.#slot, part, items) }];
  }
}
