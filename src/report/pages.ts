/** Only the report's own files may run; pictures come from the data as `data:` addresses. */
const policy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; form-action 'none'; base-uri 'none'";

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe between tags and inside quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}

/** The dataset's page; everything on it comes from the data files. */
export function indexPage(title: string, rowParts: number): string {
  const rows = Array.from({ length: rowParts }, (_, part) => `data/rows-${part}.js`);
  return page(
    `${title} — readiness report`,
    ['index'],
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
      'assets/index.js',
    ],
  );
}

/** The page of any episode: `episode.html#<number>` loads the data file that holds it. */
export function episodePage(title: string): string {
  return page(
    `Episode — ${title}`,
    ['episode', 'timeline'],
    [
      'data/dataset.js',
      'assets/findings.js',
      'assets/sketch.js',
      'assets/paint.js',
      'assets/lanes.js',
      'assets/lane-groups.js',
      'assets/view.js',
      'assets/timeline.js',
      'assets/panels.js',
      'assets/flags.js',
      'assets/components.js',
      'assets/evidence.js',
      'assets/receipt.js',
      'assets/episode.js',
    ],
  );
}

function page(title: string, styles: readonly string[], scripts: readonly string[]): string {
  const links = ['base', ...styles].map((name) => `<link rel="stylesheet" href="assets/${name}.css">`);
  const tags = ['assets/core.js', ...scripts].map((src) => `<script defer src="${src}"></script>`);
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
<noscript>This report draws itself with JavaScript from the files beside it; nothing is sent anywhere.</noscript>
</body>
</html>
`;
}
