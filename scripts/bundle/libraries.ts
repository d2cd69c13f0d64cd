import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Treatment of a library in the published package; unlisted libraries are bundled into its code. */
interface Kept {
  /** Purpose of the library. */
  readonly why: string;
  /** Copied into the package's own node_modules: the files that are read. Absent: npm installs all of it. */
  readonly files?: RegExp;
}

const kept: Readonly<Record<string, Kept>> = {
  node: { why: 'the Node that runs the program' },
  sharp: { why: 'a binary for each platform' },
  'typeid-js': { why: 'required by name when the first id is made' },
  '@duckdb/node-bindings': { why: 'a binary for each platform' },
  'onnxruntime-node': { why: 'binaries of all platforms, for models that are pulled' },
  'node-av': {
    why: 'finds its binary by its own name; its scripts and streaming over WebRTC are not needed',
    files: /^dist\/(?!.*\.d\.ts$|webrtc\/).*\.js$/,
  },
  '@electric-sql/pglite': {
    why: 'reads the database system from beside its code',
    files: /^dist\/(?!contrib\/).*\.(js|wasm|data)$/,
  },
  '@electric-sql/pglite-pgvector': {
    why: 'reads the extension from beside its code',
    files: /^dist\/(index\.js|vector\.tar\.gz)$/,
  },
  '@techstark/opencv-js': { why: 'awaits itself for ever when it is imported', files: /^dist\/opencv\.js$/ },
  '@tensorflow/tfjs-backend-wasm': {
    why: 'its WebAssembly is read from there; its code is bundled',
    files: /^dist\/(.*\.wasm|tf-backend-wasm\.node\.js)$/,
  },
  '@vladmandic/human': {
    why: 'models only',
    files: /^models\/(centernet|handlandmark-lite|handtrack|movenet-lightning)\.(json|bin)$/,
  },
};

/** Bundled although files of it are kept. */
const codeBundled: ReadonlySet<string> = new Set(['@tensorflow/tfjs-backend-wasm']);

/** Returns `true` if an import stays unchanged in the bundle. */
export function staysOutside(id: string): boolean {
  const library = libraryOf(id);
  return id.startsWith('node:') || (library in kept && !codeBundled.has(library));
}

/** `@scope/name/file` is of the library `@scope/name`. */
function libraryOf(id: string): string {
  return id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Dependency fields of the published package.json. */
interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: true }>>;
  readonly bundleDependencies: readonly string[];
}

/** Copies what is kept of libraries into the package, and says what npm is to install beside it. */
export function keepLibraries(root: string, folder: string): Dependencies {
  const { optionalDependencies: optional = {} } = manifestAt(root);
  const dependencies: Record<string, string> = {};
  const platforms: Record<string, string> = {};
  const peers: Record<string, string> = {};
  for (const [name, { files }] of Object.entries(kept)) {
    const manifest = manifestAt(join(root, 'node_modules', name));
    if (name in optional) peers[name] = manifest.version;
    else dependencies[name] = manifest.version;
    if (files === undefined) continue;
    copyFiles(join(root, 'node_modules', name), join(folder, 'node_modules', name), files);
    for (const [binary, version] of Object.entries(manifest.optionalDependencies ?? {}))
      if (binary.includes(name)) platforms[binary] = version.replace(/^\^/, '');
  }
  return {
    dependencies,
    optionalDependencies: platforms,
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
    bundleDependencies: Object.keys(kept).filter((name) => kept[name].files !== undefined),
  };
}

/** A library without what is not read; nothing of it runs when it is installed, and nothing else is installed for it. */
function copyFiles(from: string, to: string, wanted: RegExp): void {
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      (wanted.test(path) || /^(licen[sc]e|notice)[^/]*$/i.test(path)) && statSync(join(from, path)).isFile(),
  );
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(from, path), join(to, path));
  }
  const { scripts, dependencies, optionalDependencies, devDependencies, peerDependencies, ...rest } =
    JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(rest, null, 2)}\n`);
}

function manifestAt(folder: string): Manifest {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) throw new Error(`${path} is not there: run npm ci`);
  return JSON.parse(readFileSync(path, 'utf8'));
}
