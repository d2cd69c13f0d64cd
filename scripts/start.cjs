'use strict';
// npm start            installs, then assesses sample recordings that are generated here
// npm start -- PATH    installs, then assesses PATH; the report goes to assay-report/<name>

const { basename, join, resolve } = require('node:path');
const { ensureDependencies, root } = require('./ensure-deps.cjs');
const { runNode24 } = require('./run-node24.cjs');

function safeName(path) {
  return basename(resolve(path)).replace(/[^\w.-]+/g, '_') || 'recordings';
}

function command(args) {
  if (args.length === 0) return ['demo', '--out', join(root, 'assay-report', 'demo')];
  if (
    args.some((argument) => argument === '--out' || argument.startsWith('--out=') || argument === '--json')
  ) {
    return ['assess'].concat(args);
  }
  const path = args.find((argument) => !argument.startsWith('-'));
  if (path === undefined) return args;
  return ['assess'].concat(args, '--out', join(root, 'assay-report', safeName(path)));
}

process.stderr.write('assay: starting\n');
ensureDependencies();
// npm runs this in the project's folder; a relative PATH means the folder the person is in.
const cwd = process.env.INIT_CWD || process.cwd();
runNode24([join(root, 'bin', 'assay')].concat(command(process.argv.slice(2))), { cwd });
