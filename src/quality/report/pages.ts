import { escapeHtml } from './html.ts';

/** Only the report's own files may run; pictures come from the data as `data:` addresses. */
const policy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; form-action 'none'; base-uri 'none'";

/** The dataset's page; everything on it comes from the data files. */
export function indexPage(title: string, rowParts: number, still: string): string {
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
export function episodePage(title: string, hasFilms = false): string {
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
export function stillPage(title: string, still: string): string {
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
