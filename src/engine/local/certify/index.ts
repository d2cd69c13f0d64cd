export { certifyInto } from './certify-into.ts';
export { type WrittenBundle, writeBundle, writeCard } from './write-bundle.ts';
