import { escapeHtml } from '#core';
import type { Assessment } from '#core/api';
import { decisionBounds, formulaText } from '#quality/readiness';
import { formatEpisodes, IssueTally } from './outputs/issues.ts';
import { describeSummary } from './outputs/set-verdict-text.ts';
import type { RenderedEpisode, ReportBuilder, ReportFile, ReportOptions } from './report-types.ts';
import { formatDataFile, formatPackedFile, quoteJson, RowTable } from './row-table.ts';
import { StaticTable, tablePageName } from './static-table.ts';

const episodesPerFile = 64;
const charactersPerFile = 2_000_000;
const postersPerFile = 128;
const nullItem = 'null';

/**
 * Creates a report builder whose `add` (one episode) and `finish` return files to write; it writes none itself. With
 * `reportAssets` they form the report. `index.html` comes last, so that an interrupted report does not look finished.
 */
export function createReport(options: ReportOptions): ReportBuilder {
  const checks = options.checks.map(describeCheck);
  const rows = new RowTable(checks.map((check) => check.id));
  const episodes = new FilePack(formatPackedFile, 'episodes', episodesPerFile, charactersPerFile);
  const pictures = new FilePack(formatDataFile, 'pictures');
  const annotations = new FilePack(formatPackedFile, 'annotations');
  const posters = new FilePack(formatDataFile, 'posters', postersPerFile);
  const staticTable = new StaticTable();
  const issues = new IssueTally();
  // All three are flushed together, so that one part number finds an episode in each.
  const flushEpisodes = () => [...episodes.flush(), ...pictures.flush(), ...annotations.flush()];
  return {
    add({ row, data, ...media }: RenderedEpisode, isPictured = true) {
      issues.add(0, staticTable.count, row.issues);
      staticTable.add(row);
      const poster = isPictured ? media.poster : null;
      episodes.add(data);
      pictures.add(isPictured && media.pictures !== null ? quoteJson(media.pictures) : nullItem);
      annotations.add(media.annotations ?? nullItem);
      posters.add(poster === null ? nullItem : quoteJson(poster));
      return [
        ...rows.add(row, poster !== null),
        ...(episodes.full ? flushEpisodes() : []),
        ...(posters.full ? posters.flush() : []),
      ];
    },
    finish(dataset: Assessment['dataset']) {
      const files = [...rows.flush(), ...flushEpisodes(), ...posters.flush()];
      const issueList = issues.list();
      const films = createFilmFiles(options.films ?? null);
      const summary = {
        title: options.title,
        dataset,
        verdict: describeSummary(dataset),
        bounds: { accept: decisionBounds.accept, reject: decisionBounds.reject },
        checks,
        issues: issueList.map(({ code, severity, source, advice, ...issue }) => ({
          ...{ code, severity, source, advice, episodes: formatEpisodes(issue) },
        })),
        ...rows.dictionaries,
        episode_parts: episodes.starts,
        picture_parts: pictures.written,
        ...(annotations.written.length === 0 ? {} : { annotation_parts: annotations.written }),
        posters_per_part: postersPerFile,
      };
      const pages = staticTable.renderPages(options.title, dataset, issueList);
      files.push(
        {
          path: 'data/dataset.js',
          content: formatDataFile('dataset', 0, [quoteJson(JSON.stringify(summary))]),
        },
        { path: 'episode.html', content: renderEpisodePage(options.title, films.length > 0) },
        ...films,
        ...pages.slice(1).map((content, at) => ({
          path: tablePageName(at + 1),
          content: renderTablePage(options.title, content),
        })),
        { path: 'index.html', content: renderIndexPage(options.title, rows.parts, pages[0]) },
      );
      return files;
    },
  };
}

function describeCheck({
  id,
  title,
  needs,
  formula,
  threshold,
  weight,
  flags,
}: ReportOptions['checks'][number]) {
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

/** Creates the data file of films; none if the report has no films. */
function createFilmFiles(films: ReportOptions['films'] | null): ReportFile[] {
  if (films == null) return [];
  return [{ path: 'data/films.js', content: formatDataFile('films', 0, [quoteJson(JSON.stringify(films))]) }];
}

/** Collects items and packs them into data files; files that contain only `nullItem`s are omitted. */
class FilePack {
  /** Index of the first item of each file. */
  readonly starts: number[] = [];
  /** Numbers of the files that were written. */
  readonly written: number[] = [];
  readonly #formatFile: typeof formatDataFile;
  readonly #slot: string;
  readonly #maxItems: number;
  readonly #maxCharacters: number;
  #items: string[] = [];
  #length = 0;
  #added = 0;

  constructor(
    formatFile: typeof formatDataFile,
    slot: string,
    maxItems = Number.POSITIVE_INFINITY,
    maxCharacters = Number.POSITIVE_INFINITY,
  ) {
    this.#formatFile = formatFile;
    this.#slot = slot;
    this.#maxItems = maxItems;
    this.#maxCharacters = maxCharacters;
  }

  get full(): boolean {
    return this.#items.length >= this.#maxItems || this.#length >= this.#maxCharacters;
  }

  add(item: string): void {
    this.#items.push(item);
    this.#length += item.length;
    this.#added++;
  }

  flush(): ReportFile[] {
    if (this.#items.length === 0) return [];
    const part = this.starts.push(this.#added - this.#items.length) - 1;
    const items = this.#items;
    this.#items = [];
    this.#length = 0;
    if (items.every((item) => item === nullItem)) return [];
    this.written.push(part);
    return [{ path: `data/${this.#slot}-${part}.js`, content: this.#formatFile(this.#slot, part, items) }];
  }
}

/** Content security policy: only the report's own scripts may run; pictures are `data:` URLs. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; form-action 'none'; base-uri 'none'";

/** Renders the dataset's page; its content comes from the data files. */
function renderIndexPage(title: string, rowParts: number, staticContent: string): string {
  const rows = Array.from({ length: rowParts }, (_, part) => `data/rows-${part}.js`);
  return renderPage(
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
    staticContent,
  );
}

/** Renders the page of all episodes: `episode.html#<number>` loads the data file with that episode. */
function renderEpisodePage(title: string, hasFilms = false): string {
  const pageHtml = renderPage(
    `Episode — ${title}`,
    ['episode', 'timeline', ...(hasFilms ? ['films'] : [])],
    [
      'data/dataset.js',
      'assets/findings.js',
      'assets/sketch.js',
      'assets/marks.js',
      'assets/layers.js',
      'assets/camera-lane.js',
      'assets/row-groups.js',
      'assets/panels.js',
      'assets/flags.js',
      'assets/components.js',
      'assets/evidence.js',
      'assets/receipt.js',
      ...(hasFilms ? ['data/films.js', 'assets/films.js'] : []),
      'assets/episode.js',
    ],
    '<p>This page needs JavaScript to show signals and images. <a href="index.html">The overview</a> works without it.</p>',
  );
  return hasFilms
    ? pageHtml.replace(contentSecurityPolicy, `${contentSecurityPolicy}; media-src 'self' file:`)
    : pageHtml;
}

/** Renders a further page of the table, for browsers without scripts. */
function renderTablePage(title: string, staticContent: string): string {
  return renderPage(`${title} — readiness report`, ['still'], [], staticContent);
}

/** Renders a page; `staticContent` is its content without scripts. */
function renderPage(
  title: string,
  styles: readonly string[],
  scripts: readonly string[],
  staticContent: string,
): string {
  const links = ['base', ...styles].map((name) => `<link rel="stylesheet" href="assets/${name}.css">`);
  const all = scripts.length === 0 ? [] : ['assets/core.js', 'assets/shared.js', ...scripts];
  const tags = all.map((src) => `<script defer src="${src}"></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
${links.join('\n')}
${tags.join('\n')}
</head>
<body>
${scripts.length === 0 ? staticContent : `<noscript>${staticContent}</noscript>`}
</body>
</html>
`;
}
