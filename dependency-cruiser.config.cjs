/** The import table of docs/architecture.md. A row: folder, and the folders it may import. */
const table = {
  kernel: [],
  contract: ['kernel'],
  episode: ['kernel', 'contract'],
  formats: ['kernel', 'contract', 'episode'],
  readiness: ['kernel', 'contract', 'episode'],
  catalog: ['kernel', 'contract', 'episode', 'readiness'],
  annotation: ['kernel', 'contract', 'episode'],
  models: ['kernel', 'contract', 'episode'],
  media: ['kernel', 'episode'],
  report: ['kernel', 'contract', 'episode', 'readiness'],
  store: ['kernel', 'contract', 'episode'],
  work: ['kernel', 'formats', 'store'],
  services: [
    'kernel',
    'contract',
    'episode',
    'formats',
    'readiness',
    'catalog',
    'annotation',
    'models',
    'media',
    'report',
    'store',
    'work',
  ],
  http: ['kernel', 'contract', 'store', 'services'],
  cli: [
    'kernel',
    'contract',
    'episode',
    'formats',
    'readiness',
    'media',
    'report',
    'store',
    'services',
    'samples',
  ],
  samples: ['kernel', 'contract', 'episode', 'formats', 'media'],
};

/** Folders within a folder that have a door of their own, so that nobody loads what only others need. */
const halves = [
  '^src/services/assessment/((threads|inspection)/)?index\\.ts$',
  '^src/formats/(recipes|writers)/index\\.ts$',
  '^src/contract/(operations|bounds)/index\\.ts$',
  '^src/readiness/(action-space|policy-class|documents)/index\\.ts$',
  '^src/store/blobs/index\\.ts$',
];

/** Folders that may touch files, processes and the network. */
const edges = [
  '^src/formats/bytes/',
  '^src/formats/compression/threads/',
  '^src/formats/writers/',
  '^src/media/',
  '^src/cli/',
  '^src/samples/',
  '^src/services/',
  '^src/work/',
  '^src/store/',
  '^src/app/',
];

const folderRules = Object.entries(table).map(([folder, allowed]) => ({
  name: `${folder}-imports-only-its-row`,
  comment: `src/${folder} may import ${allowed.length ? allowed.join(', ') : 'nothing of the project'}`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: 'no-cycles',
      comment: 'a cycle, even of types, means that two files are one',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'cross-folder-through-index',
      comment: 'import another folder as #folder, so that its index says what it offers',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/([^/]+)/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', ...halves] },
    },
    {
      name: 'effects-at-the-edge',
      comment: 'fs, child processes, threads and the network only in the edges',
      severity: 'error',
      from: { path: '^src/', pathNot: [...edges, '\\.test\\.ts$'] },
      to: { path: '^(node:)?(fs|fs/promises|child_process|worker_threads|net|http|https|dgram|os)$' },
    },
    {
      name: 'nobody-imports-app',
      severity: 'error',
      from: { path: '^(src|test|bench)/', pathNot: '^src/app/' },
      to: { path: '^src/app/' },
    },
    {
      name: 'registry-members-do-not-import-the-registry',
      severity: 'error',
      from: { path: '^src/([^/]+)/(checks|comparisons|readers|writers)/' },
      to: { path: '^src/$1/(registry|check-registry|reader-registry)\\.ts$' },
    },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
