import type { Command } from 'commander';

/** Example invocations by command, shown in its help. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  assess: [
    'assay assess data/pick-place',
    'assay assess data/pick-place --out report',
    'assay assess hf://datasets/lerobot/pusht --limit 20',
    'assay assess data/new --format junit --fail-on reject > assay.xml',
  ],
  ask: [
    'assay ask data/pick-place "What blocks readiness?"',
    'assay ask data/pick-place "What changed?" --since report',
    'assay ask --project arms "Which episodes should I look at first?"',
  ],
  'cache size': ['assay cache size'],
  'cache clear': ['assay cache clear'],
  export: [
    'assay export data/pick-place --dry-run',
    'assay export data/pick-place --out data/accepted',
    'assay export data/arm-1 data/arm-2 --out data/both',
    'assay export --project arms --out data/arms',
  ],
  search: [
    'assay search data/pick-place --decision accept --text "red cube"',
    'assay search data/pick-place --like episode_000012 --by motion',
  ],
  slice: [
    'assay slice data/pick-place --outcome failure --out failures.json',
    'assay slice --project arms --decision accept --name accepted',
  ],
  curate: [
    'assay curate data/pick-place',
    'assay curate data/pick-place --strategy decision --strategy diversity:keep=0.5 --out plan.json',
    'assay curate data/pick-place --strategy demonstration_information:keep=0.8 --dry-run',
  ],
  certify: [
    'assay certify data/pick-place --target behaviour-cloning --out certificate',
    'assay certify data/pick-place --policy policy.json --out certificate --json',
  ],
  loop: [
    'assay loop data/pick-place --failures outputs/eval/eval_info.json --task "pick the red cube"',
    'assay loop data/pick-place --failures data/rollouts --out plan.json',
  ],
  probe: ['assay probe data/pick-place', 'assay probe data/pick-place --plan plan.json --seed 3'],
  fix: ['assay fix data/pick-place', 'assay fix data/pick-place --apply', 'assay fix data/pick-place --undo'],
  verify: [
    'assay verify report/receipts',
    'assay verify report/receipts/episode_000000.json --source data/pick-place',
  ],
  inspect: ['assay inspect data/drive.bag', 'assay inspect data/day --recipe cut.yaml'],
  'map init': ['assay map init data/tables'],
  'map check': ['assay map check data/tables', 'assay map check data/tables --mapping draft.yaml --json'],
  mcp: ['assay mcp', 'assay mcp data/pick-place --out exports', 'assay mcp --url https://assay.example.org'],
  demo: ['assay demo'],
  docs: ['assay docs', 'assay docs --no-open'],
  serve: ['assay serve --root /srv/recordings', 'assay serve --data /srv/assay --port 9000'],
  worker: ['assay worker', 'assay worker --lanes depth,captions'],
  ingest: ['assay ingest data/pick-place --project arms', 'assay ingest data/pick-place --plan'],
  annotate: [
    'assay annotate data/pick-place --layers segments,captions --out annotations',
    'assay annotate data/pick-place --layers segments --config segments.max_segments=20 --out annotations',
    'assay annotate --project arms --layer segments',
  ],
  chat: [
    'assay chat --project arms "What blocks readiness, and what would a run cost?"',
    'assay chat --project arms',
  ],
  start: ['assay start', 'assay start data/pick-place'],
  open: ['assay open', 'assay open --no-browser'],
  'token create': [
    'assay token create --role viewer --expires 30d',
    'assay token create --role admin --tenant lab --new-tenant',
  ],
  'token list': ['assay token list'],
  'token revoke': ['assay token revoke tok_01h455vb4pex5vsknk084sn02q'],
  'audit verify': ['assay audit verify'],
  'models list': ['assay models list'],
  'models pull': ['assay models pull roboflow/rf-detr-nano'],
  'models verify': ['assay models verify'],
  completion: [
    'eval "$(assay completion bash)"',
    'assay completion fish > ~/.config/fish/completions/assay.fish',
  ],
};

/** Adds examples to the help of every command; a command group shows those of its subcommands. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  for (const each of command.commands) {
    const at = [...path, each.name()];
    const own =
      examples[at.join(' ')] ?? each.commands.flatMap((one) => examples[[...at, one.name()].join(' ')] ?? []);
    if (own.length > 0)
      each.addHelpText('after', `\nExamples:\n${own.map((line) => `  ${line}\n`).join('')}`);
    addExamples(each, at);
  }
}
