import type { Assessment } from '#core/api';
import { decisionBounds, formulaText } from '#quality/readiness';
import { episodesText } from './outputs/issue.ts';
import { IssueTally } from './outputs/issue-tally.ts';
import type { RenderedEpisode, ReportBuilder, ReportFile, ReportOptions } from './report-types.ts';
import { dataFile, packedFile, quoted, RowTable } from './row-table.ts';
import { escapeHtml, StillTable, stillName } from './still-table.ts';

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

/** Only the report's own files may run; pictures come from the data as `data:` addresses. */
const policy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; form-action 'none'; base-uri 'none'";

/** The dataset's page; everything on it comes from the data files. */
function indexPage(title: string, rowParts: number, still: string): string {
  const rows = Array.from({ length: rowParts }, (_, part) => `data/rows-${part}.js`);
  return page(
    `${title} — readiness report`,
    ['index', 'still'],
    [
      'data/dataset.js',
      ...rows,
      'assets/columns.js',
      'assets/state.js',
      'assets/findings.js',
      'assets/overview.js',
      'assets/check-table.js',
      'assets/virtual-rows.js',
      'assets/posters.js',
      'assets/cells.js',
      'assets/table.js',
      'assets/toolbar.js',
      'assets/issues.js',
      'assets/print.js',
      'assets/index.js',
    ],
    still,
  );
}

/** The page of any episode: `episode.html#<number>` loads the data file that holds it. */
function episodePage(title: string, hasFilms = false): string {
  const own = page(
    `Episode — ${title}`,
    ['episode', 'timeline', ...(hasFilms ? ['films'] : [])],
    [
      'data/dataset.js',
      'assets/findings.js',
      'assets/sketch.js',
      'assets/paint.js',
      'assets/marks.js',
      'assets/layers.js',
      'assets/timeline-rows.js',
      'assets/row-groups.js',
      'assets/view.js',
      'assets/timeline.js',
      'assets/panels.js',
      'assets/flags.js',
      'assets/components.js',
      'assets/evidence.js',
      'assets/receipt.js',
      ...(hasFilms ? ['data/films.js', 'assets/films.js'] : []),
      'assets/episode.js',
    ],
    '<p>This page draws signals and pictures with JavaScript. <a href="index.html">The verdicts</a> need none.</p>',
  );
  return hasFilms ? own.replace(policy, `${policy}; media-src 'self' file:`) : own;
}

/** A further page of the table, for who opens the report without scripts. */
function stillPage(title: string, still: string): string {
  return page(`${title} — readiness report`, ['still'], [], still);
}

/** `still` is shown where no scripts run. */
function page(title: string, styles: readonly string[], scripts: readonly string[], still: string): string {
  const links = ['base', ...styles].map((name) => `<link rel="stylesheet" href="assets/${name}.css">`);
  const all = scripts.length === 0 ? [] : ['assets/core.js', 'assets/views.js', ...scripts];
  const tags = all.map((src) => `<script defer src="${src}"></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
${links.join('\n')}
${tags.join('\n')}
</head>
<body>
${scripts.length === 0 ? still : `<noscript>${still}</noscript>`}
</body>
</html>
`;
}
