'use strict';
// npm start            installs, starts the service, and assesses sample recordings that are generated here
// npm start -- PATH    the same for PATH

const { join } = require('node:path');
const { ensureDependencies, root } = require('./ensure-deps.cjs');
const { runNode } = require('./run-node.cjs');

const has = (args, name) => args.some((argument) => argument === name || argument.startsWith(`${name}=`));

/** Options that only `assess` knows are its own; else samples and data lie in this folder, wherever npm is called. */
function command(args) {
  if (has(args, '--json') || has(args, '--out')) return ['assess'].concat(args);
  const data = has(args, '--data') || process.env.ASSAY_DATA_DIR ? [] : ['--data', join(root, 'assay-data')];
  const samples = has(args, '--samples') ? [] : ['--samples', join(root, 'assay-samples')];
  return ['start'].concat(args, data, samples);
}

process.stderr.write('assay: starting\n');
ensureDependencies();
// npm runs this in the project's folder; a relative PATH means the folder the person is in.
const cwd = process.env.INIT_CWD || process.cwd();
runNode([join(root, 'bin', 'assay')].concat(command(process.argv.slice(2))), { cwd });
