import type { Assessment } from '#core/api';
import { decisionBounds, formulaText } from '#quality/readiness';
import { dataFile, packedFile, quoted } from './data-file.ts';
import { episodesText } from './outputs/issue.ts';
import { IssueTally } from './outputs/issue-tally.ts';
import { episodePage, indexPage, stillPage } from './pages.ts';
import type { RenderedEpisode, ReportBuilder, ReportFile, ReportOptions } from './report-types.ts';
import { RowTable } from './row-table.ts';
import { StillTable, stillName } from './still-table.ts';

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
  const episodes = new Pack(packedFile, 'episodes', episodesPerFile, charactersPerFile);
  const pictures = new Pack(dataFile, 'pictures');
  const annotations = new Pack(packedFile, 'annotations');
  const posters = new Pack(dataFile, 'posters', postersPerFile);
  const still = new StillTable();
  const issues = new IssueTally();
  // All hold the same episodes, so that a page finds them by one number.
  const flushEpisodes = () => [...episodes.flush(), ...pictures.flush(), ...annotations.flush()];
  return {
    add({ row, data, ...shown }: RenderedEpisode, isPictured = true) {
      issues.add(0, still.count, row.said);
      still.add(row);
      const poster = isPictured ? shown.poster : null;
      episodes.add(data);
      pictures.add(isPictured && shown.pictures !== null ? quoted(shown.pictures) : nothing);
      annotations.add(shown.annotations ?? nothing);
      posters.add(poster === null ? nothing : quoted(poster));
      return [
        ...rows.add(row, poster !== null),
        ...(episodes.full ? flushEpisodes() : []),
        ...(posters.full ? posters.flush() : []),
      ];
    },
    finish(dataset: Assessment['dataset']) {
      const files = [...rows.flush(), ...flushEpisodes(), ...posters.flush()];
      const said = issues.list();
      const films = filmFiles(options.films ?? null);
      const summary = {
        title: options.title,
        dataset,
        bounds: { accept: decisionBounds.accept, reject: decisionBounds.reject },
        checks,
        issues: said.map(({ code, severity, source, advice, ...issue }) => ({
          ...{ code, severity, source, advice, episodes: episodesText(issue) },
        })),
        ...rows.dictionaries,
        episode_parts: episodes.starts,
        picture_parts: pictures.written,
        ...(annotations.written.length === 0 ? {} : { annotation_parts: annotations.written }),
        posters_per_part: postersPerFile,
      };
      const pages = still.pages(options.title, dataset, said);
      files.push(
        { path: 'data/dataset.js', content: dataFile('dataset', 0, [quoted(JSON.stringify(summary))]) },
        { path: 'episode.html', content: episodePage(options.title, films.length > 0) },
        ...films,
        ...pages.slice(1).map((content, at) => ({
          path: stillName(at + 1),
          content: stillPage(options.title, content),
        })),
        { path: 'index.html', content: indexPage(options.title, rows.parts, pages[0]) },
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

/** What the page knows of films; no file where the report carries none. */
function filmFiles(films: ReportOptions['films'] | null): ReportFile[] {
  if (films == null) return [];
  return [{ path: 'data/films.js', content: dataFile('films', 0, [quoted(JSON.stringify(films))]) }];
}

/** Items collected for files; a file of nothing is left out. */
class Pack {
  /** Number of the first item of each file. */
  readonly starts: number[] = [];
  /** Numbers of the files that hold anything. */
  readonly written: number[] = [];
  readonly #fileOf: typeof dataFile;
  readonly #slot: string;
  readonly #most: number;
  readonly #characters: number;
  #items: string[] = [];
  #held = 0;
  #added = 0;

  constructor(
    fileOf: typeof dataFile,
    slot: string,
    most = Number.POSITIVE_INFINITY,
    characters = Number.POSITIVE_INFINITY,
  ) {
    this.#fileOf = fileOf;
    this.#slot = slot;
    this.#most = most;
    this.#characters = characters;
  }

  get full(): boolean {
    return this.#items.length >= this.#most || this.#held >= this.#characters;
  }

  add(item: string): void {
    this.#items.push(item);
    this.#held += item.length;
    this.#added++;
  }

  flush(): ReportFile[] {
    if (this.#items.length === 0) return [];
    const part = this.starts.push(this.#added - this.#items.length) - 1;
    const items = this.#items;
    this.#items = [];
    this.#held = 0;
    if (items.every((item) => item === nothing)) return [];
    this.written.push(part);
    return [{ path: `data/${this.#slot}-${part}.js`, content: this.#fileOf(this.#slot, part, items) }];
  }
}
