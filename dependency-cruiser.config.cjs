/** The areas of `src`, in order: an area imports itself and the areas above it in this table. */
const areas = {
  core: [],
  io: ['core'],
  formats: ['core', 'io'],
  quality: ['core', 'io', 'formats'],
  labels: ['core', 'io', 'formats'],
  store: ['core', 'io'],
  engine: ['core', 'io', 'formats', 'quality', 'labels', 'store'],
  service: ['core', 'io', 'formats', 'quality', 'labels', 'store', 'engine'],
  apps: ['core', 'io', 'formats', 'quality', 'labels', 'store', 'engine', 'service'],
};

/** The modules of an area, each with the modules of the same area that it may import. */
const modules = {
  core: { titles: [], '*': [], api: ['*', 'titles'], episode: ['*', 'api'] },
  io: { sources: [], archives: [], processes: [], video: [], media: ['video', 'processes'] },
  quality: {
    readiness: [],
    search: [],
    curation: [],
    'use-cases': ['readiness'],
    certification: ['readiness', 'use-cases'],
    failures: ['search', 'curation'],
    report: ['readiness'],
  },
  labels: { models: [], annotation: ['models'] },
  engine: {
    workers: [],
    notifications: [],
    budget: ['notifications'],
    cache: ['*'],
    steps: ['*', 'cache', 'workers'],
    threads: ['*', 'cache', 'workers', 'steps'],
    local: ['*', 'cache', 'workers', 'steps', 'threads'],
    durable: ['*', 'notifications', 'budget', 'workers', 'steps', 'threads'],
  },
  service: {
    operations: [],
    copilot: ['operations'],
    mcp: ['operations', 'copilot'],
    http: ['operations', 'copilot'],
  },
  apps: { samples: [], cli: ['samples'], program: ['samples', 'cli'] },
};

/** Public APIs of folders within a module, so that nobody loads what only others need. */
const innerApis = [
  '^src/engine/(budget|notifications|threads|local|local/(annotate|export|reassess|certify))/index\\.ts$',
  '^src/formats/(recipes|rules|write|fix|lerobot/write)/index\\.ts$',
  '^src/io/sources/(s3|web)/index\\.ts$',
  '^src/core/api/(operations|bounds)/index\\.ts$',
  '^src/quality/certification/bundle/index\\.ts$',
  '^src/quality/readiness/documents/index\\.ts$',
  '^src/store/(blobs|signing)/index\\.ts$',
  '^src/quality/report/(outputs|timeline|views)/index\\.ts$',
  '^src/service/mcp/stdio/index\\.ts$',
  '^src/service/copilot/ask/index\\.ts$',
];

/** Folders that may touch files, processes and the network. */
const edges = [
  '^src/io/(sources|video|media|processes)/',
  '^src/formats/shared/(compression/unpack-|write/|fix/)',
  '^src/formats/[^/]+/(write|fix)[/-]',
  '^src/formats/(webdataset|fix|write)/',
  '^src/labels/models/(host|weights)/',
  '^src/apps/',
  '^src/engine/(?!budget/)',
  '^src/store/',
];

const areaRules = Object.entries(areas).map(([area, allowed]) => ({
  name: `${area}-imports-only-areas-above`,
  comment: `src/${area} may import ${allowed.length ? allowed.join(', ') : 'nothing of the project'}`,
  severity: 'error',
  from: { path: `^src/${area}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[area, ...allowed].join('|')})/` },
}));

/** A pattern of the files of a module; `*` is what lies in the area beside its modules. */
const filesOf = (area, module) =>
  module === '*'
    ? `^src/${area}/(?!(${Object.keys(modules[area])
        .filter((name) => name !== '*')
        .join('|')})/)`
    : `^src/${area}/${module}/`;

const moduleRules = Object.entries(modules).flatMap(([area, table]) =>
  Object.entries(table).map(([module, allowed]) => ({
    name: `${area}-${module === '*' ? 'root' : module}-imports-only-its-row`,
    comment: `in src/${area}, ${module} may import ${allowed.length ? allowed.join(', ') : 'no other module'}`,
    severity: 'error',
    from: { path: filesOf(area, module), pathNot: '\\.test\\.ts$' },
    to: { path: `^src/${area}/`, pathNot: [module, ...allowed].map((name) => filesOf(area, name)) },
  })),
);

module.exports = {
  forbidden: [
    ...areaRules,
    ...moduleRules,
    {
      name: 'no-cycles',
      comment: 'a cycle, even of types, means that two files are one',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-nouns',
      comment: 'two nouns of services that need each other are one, or lack a third',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/service/operations/[^/]+' },
      to: { circular: true },
    },
    {
      name: 'between-areas-through-index',
      comment: 'import another module as #area/module, so that its index says what it offers',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/$1/',
          '^src/(core|formats|store|engine)/index\\.ts$',
          '^src/(?!formats)[^/]+/[^/]+/index\\.ts$',
          ...innerApis,
        ],
      },
    },
    {
      name: 'between-modules-through-index',
      comment: 'import another module as #area/module, so that its index says what it offers',
      severity: 'error',
      from: { path: '^src/(io|quality|labels|service|apps)/([^/]+)/' },
      to: {
        path: '^src/$1/',
        pathNot: ['^src/$1/$2/', '^src/$1/[^/]+/index\\.ts$', ...innerApis],
      },
    },
    {
      name: 'formats-share-through-shared',
      comment: 'what several formats need lies in formats/shared, which knows none of them',
      severity: 'error',
      from: { path: '^src/formats/shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/formats/', pathNot: '^src/formats/shared/' },
    },
    {
      name: 'formats-do-not-import-their-registries',
      severity: 'error',
      from: {
        path: '^src/formats/[^/]+/',
        pathNot: ['^src/formats/(rules|write|fix|discovery)/', '\\.test\\.ts$'],
      },
      to: { path: '^src/formats/(index\\.ts|registry\\.ts|rules/|write/|fix/|discovery/)' },
    },
    {
      name: 'effects-at-the-edge',
      comment: 'fs, child processes, threads and the network only in the edges',
      severity: 'error',
      from: { path: '^src/', pathNot: [...edges, '\\.test\\.ts$'] },
      to: { path: '^(node:)?(fs|fs/promises|child_process|worker_threads|net|http|https|dgram|os)$' },
    },
    {
      name: 'drizzle-in-one-place',
      comment: 'tables and queries take drizzle from src/store/drizzle.ts, which says why',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/store/drizzle\\.ts$',
          '^src/store/database/(database|migrate)\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: 'node_modules/drizzle-orm/' },
    },
    {
      name: 'nobody-imports-the-program',
      severity: 'error',
      from: { path: '^(src|test|bench)/', pathNot: '^src/apps/program/' },
      to: { path: '^src/apps/program/' },
    },
    {
      name: 'registry-members-do-not-import-the-registry',
      severity: 'error',
      from: { path: '^src/quality/([^/]+)/((checks|comparisons)/|[a-z]+-descriptor\\.ts)' },
      to: { path: '^src/quality/$1/(check-registry|comparison-registry|registry|descriptor-registry)\\.ts$' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'a package imports only itself; whoever publishes it takes nothing of the project along',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^(src|test|bench|scripts|packages)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'packages-by-name',
      comment: 'src imports a package as @assay/name, so that its index says what it offers',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/', dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'packages-read-in-formats',
      comment: 'only formats reads with packages; what they have for tests is for tests',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/formats/', '\\.test\\.ts$'] },
      to: { path: '^packages/' },
    },
    {
      name: 'packages-without-their-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/[^/]+/testing/' },
    },
    {
      name: 'no-cycles-in-packages',
      severity: 'error',
      from: { path: '^packages/' },
      to: { circular: true },
    },
    {
      name: 'packages-touch-nothing',
      comment: 'a codec reads through the port it is given',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(node:)?(fs|fs/promises|child_process|worker_threads|net|http|https|dgram|os)$' },
    },
    {
      name: 'clients-stand-alone',
      comment: 'a client knows the contract by what is generated from it, and nothing of the project',
      severity: 'error',
      from: { path: '^clients/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^clients/$1/' },
    },
    {
      name: 'client-by-name',
      comment: 'the command line is the client’s only user in src, and imports it as #client',
      severity: 'error',
      from: { path: '^src/(?!apps/cli/)' },
      to: { path: '^clients/' },
    },
    {
      name: 'client-through-its-door',
      severity: 'error',
      from: { path: '^(src|test|web)/' },
      to: { path: '^clients/', pathNot: '^clients/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'web-stands-on-the-client',
      comment:
        'the web application knows the service by its client alone; styles, views and the timeline it shares with the report',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^(src|test|bench|scripts|packages|clients)/',
        pathNot: ['^clients/typescript/src/index\\.ts$', '^src/quality/report/(views|timeline)/index\\.ts$'],
      },
    },
    {
      name: 'views-stand-alone',
      comment: 'browsers run them in the report and in the web application',
      severity: 'error',
      from: { path: '^src/quality/report/(views|timeline)/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^src/(quality/report/(views|timeline)|core/titles)/' },
    },
    {
      name: 'web-is-served-not-imported',
      severity: 'error',
      from: { path: '^(src|bench|packages|clients)/' },
      to: { path: '^web/' },
    },
    {
      name: 'web-parts-know-no-screen',
      comment: 'a screen may use another one’s parts; what all screens use knows none of them',
      severity: 'error',
      from: { path: '^web/src/(components|api)/' },
      to: { path: '^web/src/(screens|router)' },
    },
    {
      name: 'no-cycles-in-web',
      severity: 'error',
      from: { path: '^web/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-in-clients',
      severity: 'error',
      from: { path: '^clients/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^(src|packages|clients|web)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^clients/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
